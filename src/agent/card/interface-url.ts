/** Where a server listens, as `server.address()` says it. */
export type ListeningAddress = { readonly address: string; readonly port: number; readonly family: string | number };

/** What the addresses in the card may be made of. The `Host` header is not among it: anybody can send one. */
export interface InterfaceUrlInput {
  /** The option of that name. */
  readonly publicUrl?: string;
  /** What a proxy said that the caller knows to be trustworthy. */
  readonly forwarded?: { readonly protocol: string; readonly host: string };
  /** `server.address()`: a string for a pipe or socket file, `null` before `listen()`. */
  readonly listening: ListeningAddress | string | null;
  /** What the server itself speaks. */
  readonly protocol: 'http' | 'https';
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9.])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

function ofProxy(forwarded: InterfaceUrlInput['forwarded']): string | undefined {
  if (forwarded === undefined) return undefined;
  const protocol = forwarded.protocol.toLowerCase();
  if (protocol !== 'http' && protocol !== 'https') return undefined;
  // The URL parser alone would take a host with a path, a user or a blank in it.
  if (!HOST.test(forwarded.host) || !URL.canParse(`${protocol}://${forwarded.host}`)) return undefined;
  return new URL(`${protocol}://${forwarded.host}`).origin;
}

function hostOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (plain === '' || plain === '::' || plain === '0.0.0.0') return 'localhost';
  return plain.includes(':') ? `[${plain}]` : plain;
}

function ofListener(listening: InterfaceUrlInput['listening'], protocol: 'http' | 'https'): string {
  if (listening === null || typeof listening === 'string') return `${protocol}://localhost`;
  const port = listening.port === DEFAULT_PORTS[protocol] ? '' : `:${listening.port}`;
  return `${protocol}://${hostOf(listening.address)}${port}`;
}

/** The URL that mounted paths are appended to, without a trailing slash; a `publicUrl` may bring a path of its own. */
export function interfaceBaseUrl(input: InterfaceUrlInput): string {
  return input.publicUrl ?? ofProxy(input.forwarded) ?? ofListener(input.listening, input.protocol);
}

/** The URL of a mounted path, which begins with `/`. */
export function interfaceUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}
