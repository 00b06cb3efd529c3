import { isRecord } from '../is-record.js';
import type { JsonValue } from '../types/json.js';
import { isDataPart, isTextPart, isUrlPart, type Part } from '../types/part.js';

/** A file as parts had it before they were flat. */
export interface OlderFile {
  name?: string;
  mimeType?: string;
  /** Base64. */
  bytes?: string;
  uri?: string;
}

/** A part as it was before A2A 1.0. */
export type OlderPart =
  { type: 'text'; text: string } | { type: 'data'; data: JsonValue } | { type: 'file'; file: OlderFile };

/** Parts for older peers. Texts that follow one another are one: those peers read the first part and no other. */
export function toOlderParts(parts: readonly Part[]): OlderPart[] {
  const older: OlderPart[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) older.push({ type: 'text', text: texts.join('') });
    texts = [];
  };
  for (const part of parts) {
    if (isTextPart(part)) {
      texts.push(part.text);
      continue;
    }
    flush();
    older.push(toOlderPart(part));
  }
  flush();
  return older;
}

/** A part of an older peer in the form of today; whatever is not as it should be is left to who reads it. */
export function fromOlderPart(part: unknown): unknown {
  if (!isRecord(part) || !isRecord(part['file'])) return part;
  const { name, mimeType, bytes, uri } = part['file'];
  const content = typeof bytes === 'string' ? { raw: bytes } : { url: uri };
  return {
    ...content,
    ...(typeof name === 'string' && { filename: name }),
    ...(typeof mimeType === 'string' && { mediaType: mimeType }),
  };
}

function toOlderPart(part: Exclude<Part, { text: string }>): OlderPart {
  if (isDataPart(part)) return { type: 'data', data: part.data };
  const { filename, mediaType } = part;
  const content = isUrlPart(part) ? { uri: part.url } : { bytes: part.raw };
  return {
    type: 'file',
    file: {
      ...(filename !== undefined && { name: filename }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      ...content,
    },
  };
}
