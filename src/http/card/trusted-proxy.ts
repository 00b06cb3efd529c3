import { rawRequestOf } from '../host/raw-http.js';

/** What a proxy says about the address that the caller used. */
export interface ForwardedAddress {
  readonly protocol: string;
  readonly host: string;
}

/**
 * The address that the caller used, if the host app is set to trust the proxy that says so (Express `trust proxy`,
 * Fastify `trustProxy`).
 */
export function forwardedAddress(request: object): ForwardedAddress | undefined {
  if (rawRequestOf(request)?.headers['x-forwarded-host'] === undefined) return undefined;
  if (!isTrusted(request) || !('protocol' in request) || !('host' in request)) return undefined;
  const { protocol, host } = request;
  return typeof protocol === 'string' && typeof host === 'string' ? { protocol, host } : undefined;
}

function isTrusted(request: object): boolean {
  // Fastify lists more than the socket's address only when it trusts that one.
  if ('ips' in request && Array.isArray(request.ips) && 'raw' in request) return request.ips.length > 1;
  if (!('app' in request) || !hasGet(request.app)) return false;
  const trust: unknown = request.app.get('trust proxy fn');
  return typeof trust === 'function' && trust(remoteAddress(request), 0) === true;
}

function hasGet(app: unknown): app is { get(name: string): unknown } {
  return (typeof app === 'function' || typeof app === 'object') && app !== null && 'get' in app;
}

function remoteAddress(request: object): string | undefined {
  const socket: unknown = 'socket' in request ? request.socket : undefined;
  if (typeof socket !== 'object' || socket === null || !('remoteAddress' in socket)) return undefined;
  return typeof socket.remoteAddress === 'string' ? socket.remoteAddress : undefined;
}
