import { request as openRequest } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';

/** An answer read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  readonly chunked?: boolean;
}

/** Sends a request over a connection of its own and reads the answer, even if sending fails after it. */
export function call(
  url: string,
  { method = 'POST', headers = {}, body, chunked = false }: Call = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const length =
      body === undefined
        ? {}
        : chunked
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = openRequest(url, { method, agent: false, headers: { ...length, ...headers } }, (incoming) => {
      answered = true;
      resolve(read(incoming));
    });
    outgoing.on('error', (error) => {
      if (!answered) reject(error);
    });
    outgoing.end(body);
  });
}

export async function read(incoming: IncomingMessage): Promise<Answer> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) text += chunk;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}

/** An open event stream of which the first bytes have come. */
export interface OpenedStream {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
  text(): string;
  /** Resolves true when the stream ended cleanly, false when the connection broke. */
  readonly ended: Promise<boolean>;
  until(part: string): Promise<void>;
}

export async function openStream(url: string, headers: Record<string, string> = {}): Promise<OpenedStream> {
  const outgoing = openRequest(url, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => undefined);
  const answered = once(outgoing, 'response');
  outgoing.end('{}');
  const [response]: IncomingMessage[] = await answered;
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (text += chunk));
  response.on('error', () => undefined);
  const ended = new Promise<boolean>((resolve) => response.once('close', () => resolve(response.complete)));
  const until = async (part: string): Promise<void> => {
    while (!text.includes(part)) await once(response, 'data');
  };
  return { request: outgoing, response, text: () => text, ended, until };
}

/** Sends raw bytes and resolves with all that comes back until the server closes. */
export function exchange(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (text += chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}
