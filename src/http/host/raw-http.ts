import { IncomingMessage, ServerResponse, type IncomingHttpHeaders } from 'node:http';
import type { Readable, Writable } from 'node:stream';

/** The little of Node's request that we use; HTTP/1, HTTP/2 and Fastify's injected requests all have it. */
export interface RawRequest extends Readable {
  readonly method?: string;
  readonly url?: string;
  readonly originalUrl?: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent. */
  readonly rawHeaders?: readonly string[];
  readonly httpVersionMajor: number;
  finished?: boolean;
}

/** The little of Node's response that we use. HTTP/2 responses lack `shouldKeepAlive` and keep their `stream`. */
export interface RawResponse extends Writable {
  statusCode: number;
  readonly headersSent: boolean;
  readonly req?: { readonly method?: string; readonly socket?: unknown };
  /** Null while the response queues behind others of its connection. */
  readonly socket?: unknown;
  readonly stream?: { readonly destroyed: boolean; destroy(): unknown } | null;
  shouldKeepAlive?: boolean;
  setHeader(name: string, value: string | number | readonly string[]): unknown;
  getHeader(name: string): unknown;
  hasHeader(name: string): boolean;
  writeHead(status: number): unknown;
  flush?: unknown;
}

/** The little of a socket that we use. */
export interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** The little of Fastify's reply that we use. */
export interface ReplyShape {
  readonly raw: RawResponse;
  code(status: number): unknown;
  headers(values: Readonly<Record<string, string>>): unknown;
  getHeaders(): Record<string, string | number | readonly string[] | undefined>;
  send(payload?: string): unknown;
  serializer(serialize: (payload: unknown) => string): unknown;
  hijack(): unknown;
}

/** Whether a framework's response is a Fastify reply. */
export function isReply(response: object): response is ReplyShape {
  if (response instanceof ServerResponse) return false;
  return (
    'hijack' in response && typeof response.hijack === 'function' && 'raw' in response && isRawResponse(response.raw)
  );
}

/** Node's response under an Express response (it is one itself) or a Fastify reply. */
export function rawResponseOf(response: object): RawResponse {
  if (isReply(response)) return response.raw;
  if (isRawResponse(response)) return response;
  throw new TypeError('Neither an Express response nor a Fastify reply');
}

/** Node's request under an Express request (it is one itself) or a Fastify request. */
export function rawRequestOf(request: object): RawRequest | undefined {
  if (request instanceof IncomingMessage) return request;
  if ('raw' in request && isRawRequest(request.raw)) return request.raw;
  return isRawRequest(request) ? request : undefined;
}

/** Whether the connection under the response is gone, so that no `close` event will come any more. */
export function isGone(raw: RawResponse): boolean {
  return raw.destroyed === true || raw.stream?.destroyed === true || queuedOn(raw)?.destroyed === true;
}

/** Breaks the connection (HTTP/1) or the one stream (HTTP/2) off. */
export function destroyResponse(raw: RawResponse): void {
  if (raw.stream) {
    raw.stream.destroy();
    return;
  }
  // By itself a response that queues would wait for its turn to be destroyed.
  queuedOn(raw)?.destroy();
  raw.destroy();
}

/** The connection on which an HTTP/1 response waits for others to be written before it; `undefined` when it has it. */
export function queuedOn(raw: RawResponse): Connection | undefined {
  if (raw.socket !== null || raw.stream !== undefined || raw.writableFinished) return undefined;
  const connection = raw.req?.socket;
  return isConnection(connection) ? connection : undefined;
}

/** Whether the request comes with a body. HTTP/2 does not tell until it is read. */
export function mayHaveBody(request: RawRequest): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = headers['content-length'];
  if (length !== undefined) return length !== '0';
  return request.httpVersionMajor >= 2 && !request.readableEnded;
}

/** The URL as the client sent it, also where a host has mounted the app under a prefix. */
export function rawUrlOf(request: RawRequest): string {
  return request.originalUrl ?? request.url ?? '/';
}

/** The raw path of a URL: no query, no trailing slashes; an absolute URL (as proxies get) loses its origin. */
export function pathOf(url: string): string {
  let path = url;
  if (path.charCodeAt(0) !== SLASH) {
    const authority = path.indexOf('://');
    const start = authority < 0 ? -1 : path.indexOf('/', authority + 3);
    path = start < 0 ? '/' : path.slice(start);
  }
  let end = path.length;
  for (let index = 0; index < end; index++) {
    const code = path.charCodeAt(index);
    if (code === QUESTION || code === HASH) end = index;
  }
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
  return end === path.length ? path : path.slice(0, end);
}

const SLASH = 0x2f;
const QUESTION = 0x3f;
const HASH = 0x23;

// Express gives every request and response a hidden class of its own, so that each look at a property is a search: most
// are known by their class.
function isRawResponse(value: unknown): value is RawResponse {
  if (value instanceof ServerResponse) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    'setHeader' in value &&
    typeof value.setHeader === 'function' &&
    'writeHead' in value &&
    typeof value.writeHead === 'function'
  );
}

function isConnection(value: unknown): value is Connection {
  return (
    typeof value === 'object' &&
    value !== null &&
    'destroyed' in value &&
    'once' in value &&
    typeof value.once === 'function' &&
    'destroy' in value &&
    typeof value.destroy === 'function'
  );
}

function isRawRequest(value: unknown): value is RawRequest {
  if (value instanceof IncomingMessage) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    'headers' in value &&
    'resume' in value &&
    typeof value.resume === 'function'
  );
}
