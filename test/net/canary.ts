import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server inside, which nothing from outside may touch. It hears on every address of this machine. */
export interface Canary {
  readonly port: number;
  /** Connections so far: a connection without a request is a touch too. */
  readonly touched: () => number;
  close(): Promise<void>;
}

export async function startCanary(): Promise<Canary> {
  let touched = 0;
  const server = createServer((_request, response) => response.end('inside'));
  server.on('connection', () => (touched += 1));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { port: portOf(server), touched: () => touched, close: () => closeServer(server) };
}

export function portOf(server: { address(): AddressInfo | string | null }): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  return address.port;
}

export async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
