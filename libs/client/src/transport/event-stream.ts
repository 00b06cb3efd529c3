import { A2AClientError } from '../client-error.js';
import type { ClientHttp, ClientHttpLimits, ClientHttpRequest, ClientHttpStream } from '../http/client-http.js';
import { openedInTime } from '../http/listening-http.js';
import { readSse, type SseFrame } from '../sse/sse-reader.js';
import type { TransportStreamOptions, WireFrame } from './a2a-transport.js';
import { isSuccess, readBody, unreadable, type AnswerHead } from './answers.js';

const DEFAULT_MAX_FRAME_LENGTH = 16 * 1024 * 1024;
const MAX_SINGLE_BYTES = 16 * 1024 * 1024;

/**
 * Takes the content out of a body, or throws the error that is in it. The same for a frame and for a whole answer: a
 * binding writes both alike.
 */
export type ContentReader = (body: unknown, head: AnswerHead) => unknown;

/** Sends a request that asks for a stream, and reads what comes: a stream, or JSON in its place. */
export async function* eventStream(
  http: ClientHttp,
  request: ClientHttpRequest,
  { limits, maxFrameLength = DEFAULT_MAX_FRAME_LENGTH }: TransportStreamOptions,
  contentOf: ContentReader,
): AsyncGenerator<WireFrame, void, undefined> {
  // Interceptors and credentials of a host may not listen to the signal.
  const stream = await openedInTime(http, request, limits);
  try {
    if (!isEventStream(stream)) {
      const text = await wholeText(stream, limits);
      yield { response: contentOf(readBody(text), stream) };
      return;
    }
    let frames = 0;
    for await (const ready of readSse(stream.chunks, maxFrameLength)) {
      for (const frame of ready) {
        if (frame.data === '') continue;
        frames += 1;
        yield wireFrame(frame, contentOf(bodyOf(frame, stream), stream));
      }
    }
    if (frames === 0) throw new A2AClientError('EMPTY_STREAM', 'The stream of the agent ended without any event');
  } finally {
    stream.close();
  }
}

function isEventStream(head: AnswerHead): boolean {
  return isSuccess(head) && /^\s*text\/event-stream\s*(;|$)/i.test(head.headers['content-type'] ?? '');
}

function wireFrame({ id, whole }: SseFrame, response: unknown): WireFrame {
  const frame: WireFrame = { response };
  if (id !== undefined && id !== '') frame.id = id;
  if (!whole) frame.unfinished = true;
  return frame;
}

function bodyOf({ data, whole }: SseFrame, head: AnswerHead): unknown {
  const body = readBody(data);
  if (typeof body !== 'string') return body;
  if (!whole) throw new A2AClientError('STREAM_BROKEN', 'The stream ended in the middle of a frame');
  throw unreadable(head, 'a frame is not JSON');
}

async function wholeText({ chunks }: ClientHttpStream, limits: ClientHttpLimits = {}): Promise<string> {
  const maxBytes = limits.maxAnswerBytes ?? MAX_SINGLE_BYTES;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new A2AClientError('ANSWER_TOO_LARGE', `The answer has more than ${maxBytes} bytes`);
    }
    pieces.push(chunk);
  }
  return Buffer.concat(pieces).toString('utf8');
}
