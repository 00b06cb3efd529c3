import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TlsContextOptions } from 'nestjs-a2a/client';
import { WorkflowArgumentError } from '../errors/workflow.error.js';

/**
 * Files that say what a client trusts and shows.
 *
 * @publicApi
 */
export interface TlsFiles {
  /** PEM, one or more authorities. Default: those that Node knows. */
  readonly caCertsPath?: string | null;
  /** PEM, the client's certificate, then its chain; needs a key. */
  readonly clientCertPath?: string | null;
  /** PKCS#8, PEM or DER; needs a certificate. RSA, EC and Ed25519. */
  readonly clientKeyPath?: string | null;
  /** Of an encrypted key. */
  readonly clientKeyPassword?: string | null;
  /** X.509 revocation lists: PEM, or one in DER. */
  readonly crlPath?: string | null;
}

const PEM = '-----BEGIN';
const PKCS8 = /-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/;
const SEQUENCE = 0x30;

/** Reads the files, and judges what can be judged without them being used. */
export function tlsMaterial(files: TlsFiles): Omit<TlsContextOptions, 'verifyChain'> {
  const { caCertsPath, clientCertPath, clientKeyPath, clientKeyPassword, crlPath } = files;
  if (isGiven(clientCertPath) !== isGiven(clientKeyPath)) {
    throw new WorkflowArgumentError('Both client certificate and private key are required for mTLS');
  }
  return {
    ca: isGiven(caCertsPath) ? authorities(caCertsPath) : undefined,
    cert: isGiven(clientCertPath) ? read('Client certificate', clientCertPath).toString('utf8') : undefined,
    key: isGiven(clientKeyPath) ? privateKey(clientKeyPath, clientKeyPassword) : undefined,
    keyPassphrase: clientKeyPassword ?? undefined,
    crl: isGiven(crlPath) ? revocationLists(crlPath) : undefined,
  };
}

function authorities(path: string): string {
  const text = read('CA', path).toString('utf8');
  if (!text.includes('-----BEGIN CERTIFICATE-----')) {
    throw new WorkflowArgumentError('CA file contains no certificates');
  }
  return text;
}

function privateKey(path: string, password: string | null | undefined): string | Uint8Array {
  const bytes = read('Private key', path);
  const text = bytes.toString('latin1');
  const isPem = text.includes(PEM);
  const found = PKCS8.exec(text);
  // OpenSSL has forms of its own: convert them with `openssl pkcs8 -topk8`.
  if (isPem && found === null) throw new WorkflowArgumentError('Only PKCS#8 PEM private keys are supported');
  if (found?.[1] !== undefined && !isGiven(password)) {
    throw new WorkflowArgumentError('An encrypted private key needs clientKeyPassword');
  }
  return isPem ? text : bytes;
}

function revocationLists(path: string): string {
  const bytes = read('CRL', path);
  const text = bytes.toString('latin1');
  if (text.includes('-----BEGIN X509 CRL-----')) return text;
  if (bytes[0] !== SEQUENCE) throw new WorkflowArgumentError('CRL file contains no X.509 CRL');
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN X509 CRL-----', ...lines, '-----END X509 CRL-----', ''].join('\n');
}

function read(what: string, path: string): Buffer {
  try {
    return readFileSync(path.startsWith('file:') ? fileURLToPath(path) : path);
  } catch (cause) {
    throw new WorkflowArgumentError(`${what} file cannot be read: ${path}`, { cause });
  }
}

function isGiven(value: string | null | undefined): value is string {
  return value !== undefined && value !== null;
}
