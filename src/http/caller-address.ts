import { rawRequestOf } from './host/raw-http.js';

/** Where a request comes from. */
export interface CallerAddress {
  /** Behind a proxy that the app trusts: what it says; else the other end of the connection. */
  readonly address: string;
  /** Whether the app was told which proxies to trust, so that callers behind one are told apart. */
  readonly proxyTrust: boolean;
}

/** The address of a caller, as Express and Fastify find it by their trust settings. */
export function callerAddressOf(request: object): CallerAddress {
  const ip: unknown = 'ip' in request ? request.ip : undefined;
  return {
    address: typeof ip === 'string' && ip !== '' ? ip : socketAddressOf(request),
    proxyTrust: trustsProxies(request),
  };
}

function trustsProxies(request: object): boolean {
  // Fastify has the list only when it was given `trustProxy`.
  if ('raw' in request) return 'ips' in request && Array.isArray(request.ips);
  if (!('app' in request) || !hasGet(request.app)) return false;
  const setting: unknown = request.app.get('trust proxy');
  return setting !== undefined && setting !== false;
}

function hasGet(app: unknown): app is { get(name: string): unknown } {
  return (typeof app === 'function' || typeof app === 'object') && app !== null && 'get' in app;
}

function socketAddressOf(request: object): string {
  const raw = rawRequestOf(request);
  const socket: unknown = raw !== undefined && 'socket' in raw ? raw.socket : undefined;
  if (typeof socket !== 'object' || socket === null || !('remoteAddress' in socket)) return 'unknown';
  return typeof socket.remoteAddress === 'string' ? socket.remoteAddress : 'unknown';
}
