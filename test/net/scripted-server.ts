import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/tls/test-certificate.js';
import { closeServer, portOf } from './canary.js';

/** What a server was asked. */
export interface SeenRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The name in the TLS greeting; false without one, undefined without TLS. */
  readonly sni: string | false | null | undefined;
}

export interface ScriptedServer {
  readonly port: number;
  readonly seen: SeenRequest[];
  /** In the order of their arrival, the closed ones too. */
  readonly connections: Socket[];
  close(): Promise<void>;
}

export interface ScriptedServerOptions {
  readonly host?: string;
  readonly port?: number;
  readonly secure?: boolean;
}

/** A server that answers by a script; without one, 200. */
export async function startServer(
  script: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => response.end('ok'),
  { host = '127.0.0.1', port = 0, secure = false }: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const connections: Socket[] = [];
  const answer: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const { method, url: path, headers, socket } = request;
    const sni = socket instanceof TLSSocket ? servernameOf(socket) : undefined;
    seen.push({ method, path, headers, body: Buffer.concat(chunks).toString(), sni });
    await script(request, response);
  };
  const server = secure
    ? createSecureServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, answer)
    : createServer({ keepAliveTimeout: 0 }, answer);
  server.on('connection', (socket) => connections.push(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { port: portOf(server), seen, connections, close: () => closeServer(server) };
}

function servernameOf(socket: TLSSocket): string | false | null {
  const name: unknown = Reflect.get(socket, 'servername');
  return typeof name === 'string' || name === false ? name : null;
}
