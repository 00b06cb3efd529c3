import { EventStream } from './event-stream.js';
import type { SseOptions } from './event-stream.js';

export { StreamNotOpenedError } from './event-stream.js';
export type { SseFraming, SseOptions, StreamFrame } from './event-stream.js';
export { OpenStreams } from './open-streams.js';

/**
 * Writes a stream of frames as server-sent events over an Express response or a Fastify reply. Status and headers leave
 * with the first frame: a stream that fails or completes before it rejects with nothing written, so that the caller can
 * answer with a status of its own. Resolves when the response is finished or the client is gone.
 */
export function writeEventStream(response: object, options: SseOptions): Promise<void> {
  return new EventStream(response, options).start();
}
