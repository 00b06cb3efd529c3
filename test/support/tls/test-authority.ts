import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import * as der from './der.js';

const DAY = 86_400_000;
const ECDSA_SHA256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
const PASSPHRASE_CIPHER = 'aes-256-cbc';

/** A certificate with its key. */
export interface TestIdentity {
  /** PEM. */
  readonly cert: string;
  readonly key: KeyObject;
  /** PKCS#8 PEM. */
  readonly keyPem: string;
  readonly serial: number;
}

/** What a certificate says. */
export interface TestCertificateOptions {
  readonly name: string;
  /** Names and IPv4 addresses it is for. */
  readonly hosts?: readonly string[];
  /** From yesterday until the day before now, instead of until tomorrow. */
  readonly expired?: boolean;
  /** Default: EC. */
  readonly keyType?: 'ec' | 'rsa' | 'ed25519';
}

let serials = 1000;

/** An authority for tests: it signs certificates and says which ones count no more. */
export class TestAuthority {
  private constructor(
    readonly name: string,
    readonly identity: TestIdentity,
  ) {}

  static root(name: string): TestAuthority {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return new TestAuthority(name, certify({ name }, keys, { name, key: keys.privateKey }, true));
  }

  get cert(): string {
    return this.identity.cert;
  }

  /** An authority below this one. */
  intermediate(name: string): TestAuthority {
    return new TestAuthority(name, this.certify({ name }, true));
  }

  issue(options: TestCertificateOptions): TestIdentity {
    return this.certify(options, false);
  }

  /** A revocation list in force, or one that has run out. */
  revoke(identities: readonly TestIdentity[], { expired = false } = {}): string {
    const entries = identities.map(({ serial }) => der.sequence(der.integer(serial), der.time(daysFromNow(-1))));
    const toBeSigned = der.sequence(
      der.integer(1),
      ECDSA_SHA256,
      nameOf(this.name),
      der.time(daysFromNow(-3)),
      der.time(daysFromNow(expired ? -2 : 1)),
      ...(entries.length > 0 ? [der.sequence(...entries)] : []),
    );
    return pem('X509 CRL', signed(toBeSigned, this.identity.key));
  }

  private certify(options: TestCertificateOptions, authority: boolean): TestIdentity {
    const keys = keysOf(options.keyType);
    return certify(options, keys, { name: this.name, key: this.identity.key }, authority);
  }
}

/** PKCS#8, encrypted. */
export function encryptedKey({ key }: TestIdentity, passphrase: string): string {
  return key.export({ type: 'pkcs8', format: 'pem', cipher: PASSPHRASE_CIPHER, passphrase }).toString();
}

function keysOf(type: TestCertificateOptions['keyType']) {
  if (type === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function certify(
  { name, hosts = [], expired = false }: TestCertificateOptions,
  keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  issuer: { readonly name: string; readonly key: KeyObject },
  authority: boolean,
): TestIdentity {
  const serial = (serials += 1);
  const constraints = extension('2.5.29.19', true, der.sequence(...(authority ? [der.boolean(true)] : [])));
  const names = extension('2.5.29.17', false, der.sequence(...hosts.map(alternativeName)));
  const toBeSigned = der.sequence(
    der.tagged(0, der.integer(2)),
    der.integer(serial),
    ECDSA_SHA256,
    nameOf(issuer.name),
    der.sequence(der.time(daysFromNow(-3)), der.time(daysFromNow(expired ? -1 : 1))),
    nameOf(name),
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, der.sequence(constraints, ...(hosts.length > 0 ? [names] : []))),
  );
  return {
    cert: pem('CERTIFICATE', signed(toBeSigned, issuer.key)),
    key: keys.privateKey,
    keyPem: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    serial,
  };
}

function signed(toBeSigned: Buffer, key: KeyObject): Buffer {
  return der.sequence(toBeSigned, ECDSA_SHA256, der.bits(sign('sha256', toBeSigned, key)));
}

function nameOf(commonName: string): Buffer {
  return der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8(commonName))));
}

function extension(id: string, critical: boolean, value: Buffer): Buffer {
  return der.sequence(der.oid(id), ...(critical ? [der.boolean(true)] : []), der.octets(value));
}

function alternativeName(host: string): Buffer {
  const isAddress = /^[\d.]+$/.test(host);
  return der.implicit(isAddress ? 7 : 2, isAddress ? Buffer.from(host.split('.').map(Number)) : Buffer.from(host));
}

function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY);
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
