import { request as openRequest } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as it goes over the wire: the path is sent as written. */
export interface Call {
  /** Default POST with a body, GET without. */
  readonly method?: string;
  readonly path: string;
  /** A header with a list comes once for each of its values. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** A string or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

/** An answer read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed JSON; undefined when the body is none. */
  readonly body: unknown;
}

/** Sends a call over a connection of its own; resolves when the head of the answer is there. */
export function open(url: string, call: Call): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const { hostname, port } = new URL(url);
  const { path, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = call;
  const bytes = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const type =
    body === undefined || Object.hasOwn(headers, 'content-type') ? {} : { 'content-type': 'application/json' };
  const length = bytes === undefined ? {} : { 'content-length': String(Buffer.byteLength(bytes)) };
  const request = openRequest({
    hostname,
    port,
    path,
    method,
    agent: false,
    headers: Object.fromEntries(Object.entries({ ...type, ...length, ...headers }).filter(([, value]) => value !== '')),
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    let answered = false;
    request.on('response', (incoming) => {
      answered = true;
      resolve(incoming);
    });
    // Writing may fail after an early answer, which is still to be read.
    request.on('error', (error) => {
      if (!answered) reject(error);
    });
  });
  request.end(bytes);
  return { request, response };
}

export async function send(url: string, call: Call): Promise<Answer> {
  const incoming = await open(url, call).response;
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) text += chunk;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: jsonOf(text) };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What stands at a dotted path of a JSON value. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((found, key) => {
    return typeof found === 'object' && found !== null ? Reflect.get(found, key) : undefined;
  }, value);
}

/** The same, which must be a string. */
export function textAt(value: unknown, path: string): string {
  const found = at(value, path);
  if (typeof found !== 'string') throw new TypeError(`No text at ${path} of ${JSON.stringify(value)}`);
  return found;
}

/** The same, which must be a list. */
export function listAt(value: unknown, path: string): unknown[] {
  const found = at(value, path);
  if (!Array.isArray(found)) throw new TypeError(`No list at ${path} of ${JSON.stringify(value)}`);
  return found;
}
