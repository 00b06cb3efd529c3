import { isTextPart, type Part } from 'nestjs-a2a/protocol';

/** The texts of some parts, one after the other; `undefined` when none of them is text. */
export function textOfParts(parts: readonly Part[]): string | undefined {
  const texts = parts.filter(isTextPart);
  return texts.length === 0 ? undefined : texts.map(({ text }) => text).join('');
}
