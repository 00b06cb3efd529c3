import { createHash } from 'node:crypto';
import { isRawPart, type Message, type Part } from 'nestjs-a2a/protocol';

/** The metadata key of a part whose bytes were left out: `{ bytes, sha256 }` of what was sent. */
export const OMITTED_RAW_KEY = 'omittedRaw';

// Four characters of base64 are three bytes, so that slices of whole fours fit together.
const SLICE_CHARACTERS = 1024 * 1024;

// A message is immutable and belongs to one agent with one limit, so its short form can be kept with it.
const shortForms = new WeakMap<Message, Message>();

/** The number of bytes that a padded base64 text stands for. */
export function rawBytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/**
 * The message with file parts over `maxBytes` replaced by a note of their size and SHA-256; the message itself when it
 * has none.
 */
export function elideRaw(message: Message, maxBytes: number): Message {
  const known = shortForms.get(message);
  if (known) return known;
  if (!message.parts.some((part) => isLarge(part, maxBytes))) return message;
  const short = { ...message, parts: message.parts.map((part) => (isLarge(part, maxBytes) ? shorten(part) : part)) };
  shortForms.set(message, short);
  return short;
}

function isLarge(part: Part, maxBytes: number): boolean {
  return isRawPart(part) && part.raw.length > maxBytes && rawBytes(part.raw) > maxBytes;
}

function shorten(part: Part): Part {
  if (!isRawPart(part)) return part;
  const { raw } = part;
  const hash = createHash('sha256');
  let bytes = 0;
  // In slices: the bytes of a large file need not be in memory at once for this.
  for (let at = 0; at < raw.length; at += SLICE_CHARACTERS) {
    const slice = Buffer.from(raw.slice(at, at + SLICE_CHARACTERS), 'base64');
    hash.update(slice);
    bytes += slice.length;
  }
  const note = { bytes, sha256: hash.digest('hex') };
  return { ...part, raw: '', metadata: { ...part.metadata, [OMITTED_RAW_KEY]: note } };
}
