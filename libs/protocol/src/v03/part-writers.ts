import { isDataPart, isRawPart, isTextPart, type Part } from '../types/part.js';
import { wrapData } from './data-parts.js';
import { present } from './present.js';
import type { V03ProtoPart } from './proto-types.js';
import type { V03Part } from './types.js';

/** A text and data lose their name and media type: 0.3 has no place for them. */
export function toV03Part(part: Part): V03Part {
  const { metadata, filename: name, mediaType: mimeType } = part;
  if (isTextPart(part)) return present({ kind: 'text', text: part.text, metadata });
  if (isDataPart(part)) return present({ kind: 'data', ...wrapData({ data: part.data, metadata }) });
  const file = isRawPart(part) ? { bytes: part.raw, mimeType, name } : { uri: part.url, mimeType, name };
  return present({ kind: 'file', file: present(file), metadata });
}

/** The same in the JSON of the proto file. */
export function toV03ProtoPart(part: Part): V03ProtoPart {
  const { metadata, filename: name, mediaType: mimeType } = part;
  if (isTextPart(part)) return present({ text: part.text, metadata });
  if (isDataPart(part)) {
    const { data, metadata: marked } = wrapData({ data: part.data, metadata });
    return present({ data: { data }, metadata: marked });
  }
  const file = isRawPart(part)
    ? { fileWithBytes: part.raw, mimeType, name }
    : { fileWithUri: part.url, mimeType, name };
  return present({ file: present(file), metadata });
}
