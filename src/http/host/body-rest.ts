import type { RawRequest, RawResponse } from './raw-http.js';
import { isGone } from './raw-http.js';

/** How much of a refused body is still read, and for how long, so that the client gets to see its answer. */
export const REST_BYTES = 8 * 1024 * 1024;
export const REST_MS = 2_000;

/**
 * Gives a body up that was not read to its end. Closing a connection with unread bytes resets it, and the reset may
 * overtake the answer. So the answer is written at once and the response only ended, which closes the connection, when
 * the rest of the body has been read and thrown away, or too much of it.
 */
export function abandonBody(request: RawRequest, response: RawResponse): void {
  request.on('error', ignore);
  if (request.httpVersionMajor >= 2) {
    response.once('finish', () => throwAway(request, response, () => request.destroy()));
    return;
  }
  // Node then sends `Connection: close`, whoever writes the answer.
  response.shouldKeepAlive = false;
  const end = response.end;
  let ending = false;
  const later = (...args: unknown[]): RawResponse => {
    if (ending || isGone(response)) return callEnd(end, response, args);
    ending = true;
    const [chunk, encoding] = args;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) {
      const charset = typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
      const data = typeof chunk === 'string' ? Buffer.from(chunk, charset) : chunk;
      if (!response.headersSent && !response.hasHeader('content-length')) {
        response.setHeader('content-length', data.byteLength);
      }
      response.write(data);
    } else if (!response.headersSent) {
      response.setHeader('content-length', 0);
      response.writeHead(response.statusCode);
    }
    const callback = args.find((argument) => typeof argument === 'function');
    throwAway(request, response, () => callEnd(end, response, callback === undefined ? [] : [callback]));
    return response;
  };
  Object.defineProperty(response, 'end', { value: later, configurable: true, writable: true });
}

/** Makes Express's body parsers take the request for one that is already parsed. */
export function hideBody(request: RawRequest): void {
  // They ask the `on-finished` package, which goes by this, as on a response. Node itself looks at `upgrade`, which would
  // say the same: it takes the connection out of HTTP then.
  request.finished = true;
}

function throwAway(request: RawRequest, response: RawResponse, done: () => void): void {
  let bytes = 0;
  const stop = (): void => {
    clearTimeout(timer);
    request.removeListener('data', count);
    request.removeListener('end', stop);
    request.removeListener('close', stop);
    response.removeListener('close', stop);
    done();
  };
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > REST_BYTES) stop();
  };
  const timer = setTimeout(stop, REST_MS).unref();
  if (request.readableEnded || request.destroyed) {
    stop();
    return;
  }
  request.on('data', count);
  request.once('end', stop);
  request.once('close', stop);
  response.once('close', stop);
  request.resume();
}

function callEnd(end: RawResponse['end'], response: RawResponse, args: unknown[]): RawResponse {
  return Reflect.apply(end, response, args);
}

function ignore(): void {}
