import type { Decode } from '../decode/decoder.js';
import { jsonValue, struct } from '../decode/json-value.js';
import { message, oneof, optional, required } from '../decode/message-decoder.js';
import { anyString, bytes, plainString } from '../decode/scalars.js';
import type { JsonValue } from '../types/json.js';
import type { Part } from '../types/part.js';
import { unwrapData } from './data-parts.js';
import { mapped } from './mapped.js';
import { present } from './present.js';

// The names of the text and those of the proto file: no two of them say different things.
const file = oneof(
  {
    bytes: required(bytes),
    uri: required(anyString),
    fileWithBytes: required(bytes),
    fileWithUri: required(anyString),
  },
  { mimeType: optional(plainString), name: optional(plainString) },
);

/** Told by their members; some writers leave out `kind`. */
function partOf(data: Decode<JsonValue>): Decode<Part> {
  const content = oneof(
    { text: required(anyString), file: required(file), data: required(data) },
    { metadata: optional(struct) },
  );
  return mapped(content, (part): Part => {
    const { metadata } = part;
    if ('text' in part) return present({ text: part.text, metadata });
    if ('data' in part) return present(unwrapData({ data: part.data, metadata }));
    const { mimeType: mediaType, name: filename } = part.file;
    const common = { metadata, filename, mediaType };
    if ('bytes' in part.file) return present({ raw: part.file.bytes, ...common });
    if ('uri' in part.file) return present({ url: part.file.uri, ...common });
    if ('fileWithBytes' in part.file) return present({ raw: part.file.fileWithBytes, ...common });
    return present({ url: part.file.fileWithUri, ...common });
  });
}

/** A part in the JSON of the text. */
export const v03Part = partOf(jsonValue);

/** A part in the JSON of the proto file, where data is one level deeper. */
export const v03ProtoPart = partOf(mapped(message({ data: required(jsonValue) }), ({ data }) => data));
