import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { clientCertificate } from './client-certificate.js';
import { unknownNames } from '../unknown-names.js';
import type { TlsContext, TlsContextOptions } from './tls-context.js';
import { TlsContextError } from './tls.errors.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const REVOCATION_LIST = /-----BEGIN X509 CRL-----[^-]*-----END X509 CRL-----/g;

const NAMES: Readonly<Record<keyof TlsContextOptions, true>> = {
  ca: true,
  caFile: true,
  cert: true,
  certFile: true,
  key: true,
  keyFile: true,
  keyPassphrase: true,
  crl: true,
  crlFile: true,
  verifyChain: true,
};

/**
 * Makes what a client trusts and shows when it speaks TLS. Files are read now, once. Whatever is wrong with them is
 * thrown here: a client never goes on with less than it was given.
 *
 * @throws TlsContextError
 * @publicApi
 */
export function createTlsContext(options: TlsContextOptions = {}): TlsContext {
  const [unknown] = unknownNames(options, Object.keys(NAMES));
  if (unknown) throw new TlsContextError(`${unknown.name}: ${unknown.description}`);
  const { verifyChain = true, keyPassphrase } = options;
  const ca = blocksOf(textOf(options, 'ca'), CERTIFICATE, 'ca', 'certificates')?.map(certificateOf);
  const crl = blocksOf(textOf(options, 'crl'), REVOCATION_LIST, 'crl', 'revocation lists (X509 CRL)');
  if (crl && !verifyChain) {
    throw new TlsContextError(
      'crl says which certificates of a chain count, which nobody asks with verifyChain: false',
    );
  }
  const own = clientCertificate(textOf(options, 'cert'), keyOf(options), keyPassphrase);
  try {
    const secureContext = createSecureContext({ ...(ca && { ca }), ...(crl && { crl }), ...own });
    return Object.freeze({ secureContext, verifyChain, hasClientCertificate: own !== undefined });
  } catch (error) {
    throw new TlsContextError('a certificate, a key or a revocation list is damaged', error);
  }
}

/** As it is, or made of plain settings. */
export function tlsContextOf(tls: TlsContext | TlsContextOptions): TlsContext {
  return 'secureContext' in tls ? tls : createTlsContext(tls);
}

type Name = 'ca' | 'cert' | 'crl';

function textOf(options: TlsContextOptions, name: Name): string | undefined {
  const given = options[name];
  const file = fileOf(options, name);
  if (given !== undefined) return typeof given === 'string' ? given : given.join('\n');
  return file?.toString('utf8');
}

function keyOf(options: TlsContextOptions): string | Uint8Array | undefined {
  return options.key ?? fileOf(options, 'key');
}

function fileOf(options: TlsContextOptions, name: Name | 'key'): Buffer | undefined {
  const path = options[`${name}File`];
  if (path === undefined) return undefined;
  if (options[name] !== undefined) throw new TlsContextError(`${name} and ${name}File are both given: leave one out`);
  try {
    return readFileSync(path);
  } catch (error) {
    throw new TlsContextError(`the ${name}File cannot be read`, error);
  }
}

// Node takes only the first certificate of a text for an authority, and of a text without any it says nothing.
function blocksOf(text: string | undefined, block: RegExp, name: Name, what: string): string[] | undefined {
  if (text === undefined) return undefined;
  const found = text.match(block);
  if (!found) throw new TlsContextError(`${name} holds no ${what} in PEM`);
  return found;
}

function certificateOf(pem: string): string {
  try {
    return new X509Certificate(pem).toString();
  } catch (error) {
    throw new TlsContextError('a certificate in ca is damaged', error);
  }
}
