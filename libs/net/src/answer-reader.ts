import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { SafeHttpError } from './errors.js';

/** How much of a body is wanted, and what becomes of the rest. */
export interface BodyLimit {
  readonly maxBytes: number;
  /** Drop the rest instead of failing. */
  readonly cut: boolean;
}

/**
 * Reads a body to its end or to the limit, where the connection is given up.
 *
 * @throws SafeHttpError `ANSWER_TOO_LARGE`
 */
export async function readBody(body: Readable, { maxBytes, cut }: BodyLimit): Promise<Buffer> {
  // A body that is left before its end reports that as an error of its own.
  body.on('error', () => undefined);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const incoming: AsyncIterable<Uint8Array> = body;
  for await (const chunk of incoming) {
    const room = maxBytes - size;
    if (chunk.byteLength > room && !cut) {
      throw new SafeHttpError('ANSWER_TOO_LARGE', `The answer has more than ${maxBytes} bytes`);
    }
    chunks.push(chunk.subarray(0, room));
    size += Math.min(chunk.byteLength, room);
    if (chunk.byteLength > room) break;
  }
  return Buffer.concat(chunks, size);
}

/** Headers with one value each. */
export function flatHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
