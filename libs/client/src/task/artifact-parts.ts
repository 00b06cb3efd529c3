import { isDeepStrictEqual } from 'node:util';
import { isRawPart, isTextPart, type Part, type TextPart } from 'nestjs-a2a/protocol';

/**
 * What `all` has beyond `known`, as parts to append; undefined when it is not the same with more behind it. Where the
 * borders between text parts are plays no part: some servers merge chunks, some do not.
 */
export function partsBeyond(known: readonly Part[], all: readonly Part[]): Part[] | undefined {
  const before = merged(known);
  const after = merged(all);
  const last = before.length - 1;
  for (const [index, part] of before.entries()) {
    const other = after[index];
    // What is known already may be newer than a snapshot that comes out of a store.
    if (other === undefined) return [];
    if (isSame(part, other)) continue;
    const shorter = index === after.length - 1 && isTextPart(part) && isTextPart(other) && isContinued(other, part);
    if (shorter) return [];
    if (index < last || !isTextPart(part) || !isTextPart(other) || !isContinued(part, other)) return undefined;
    return [{ ...other, text: other.text.slice(part.text.length) }, ...after.slice(index + 1)];
  }
  return after.slice(before.length);
}

function isContinued(part: TextPart, other: TextPart): boolean {
  const { text, ...rest } = part;
  const { text: more, ...others } = other;
  return more.startsWith(text) && isDeepStrictEqual(rest, others);
}

function isSame(part: Part, other: Part): boolean {
  if (isDeepStrictEqual(part, other)) return true;
  // Some servers leave the bytes of large files out of what they tell later.
  return isRawPart(part) && isRawPart(other) && other.raw === '' && part.filename === other.filename;
}

/** The parts with neighbouring texts of the same kind made one. */
function merged(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  let pieces: string[] = [];
  let open: TextPart | undefined;
  const close = (): void => {
    if (open !== undefined) result.push({ ...open, text: pieces.join('') });
    open = undefined;
    pieces = [];
  };
  for (const part of parts) {
    if (!isTextPart(part)) {
      close();
      result.push(part);
      continue;
    }
    if (open === undefined || !isSameKind(open, part)) close();
    open ??= part;
    pieces.push(part.text);
  }
  close();
  return result;
}

function isSameKind({ text: _text, ...rest }: TextPart, { text: _other, ...others }: TextPart): boolean {
  return isDeepStrictEqual(rest, others);
}
