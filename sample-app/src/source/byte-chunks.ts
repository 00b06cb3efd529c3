/** Decoded bytes a chunk: a few milliseconds of work, after which others get their turn. */
const CHUNK_BYTES = 65_536;
// Four characters of base64 are three bytes, so only slices of whole fours can be decoded on their own.
const CHUNK_BASE64 = Math.floor(CHUNK_BYTES / 3) * 4;
const CHUNK_TEXT = CHUNK_BYTES / 2;

/** The bytes behind padded base64, piece by piece: the whole never exists twice. */
export function* base64Chunks(base64: string): Generator<Buffer> {
  for (let start = 0; start < base64.length; start += CHUNK_BASE64) {
    yield Buffer.from(base64.slice(start, start + CHUNK_BASE64), 'base64');
  }
}

/** How many bytes padded base64 stands for. */
export function base64Bytes(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

/** The UTF-8 bytes of a text, piece by piece. */
export function* textChunks(text: string): Generator<Buffer> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + CHUNK_TEXT, text.length);
    const last = text.charCodeAt(end - 1);
    // A surrogate pair is one character: cut in two, each half would become U+FFFD.
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1;
    yield Buffer.from(text.slice(start, end), 'utf8');
    start = end;
  }
}
