import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { TlsContextError } from './tls.errors.js';

const PEM_KEY = /-----BEGIN ((?:ENCRYPTED )?PRIVATE KEY)-----/;

/** What a client shows of itself. */
export interface ClientCertificate {
  readonly cert: string;
  /** PEM, no longer encrypted. */
  readonly key: string;
}

/** @throws TlsContextError when the key cannot be read, or is not the one of the certificate */
export function clientCertificate(
  cert: string | undefined,
  material: string | Uint8Array | undefined,
  passphrase: string | undefined,
): ClientCertificate | undefined {
  if (cert === undefined && material === undefined) {
    if (passphrase !== undefined) throw new TlsContextError('keyPassphrase is given, and no key');
    return undefined;
  }
  if (cert === undefined || material === undefined) {
    throw new TlsContextError('a client certificate needs both its chain (cert) and its key (key)');
  }
  const key = privateKeyOf(material, passphrase);
  if (!certificateOf(cert).checkPrivateKey(key)) {
    throw new TlsContextError('the key is not the one of the certificate, which must come first in its file');
  }
  return { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function certificateOf(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch (error) {
    throw new TlsContextError('the client certificate is not a PEM certificate', error);
  }
}

function privateKeyOf(material: string | Uint8Array, passphrase: string | undefined): KeyObject {
  const text = typeof material === 'string' ? material : Buffer.from(material).toString('latin1');
  const label = PEM_KEY.exec(text)?.[1];
  if (label === undefined && text.includes('-----BEGIN')) {
    throw new TlsContextError('the key is PEM, but not PKCS#8: convert it with `openssl pkcs8 -topk8`');
  }
  if (label === 'ENCRYPTED PRIVATE KEY' && passphrase === undefined) {
    throw new TlsContextError('the key is encrypted: give its keyPassphrase');
  }
  try {
    return label === undefined
      ? createPrivateKey({ key: Buffer.from(material), format: 'der', type: 'pkcs8', passphrase })
      : createPrivateKey({ key: text, passphrase });
  } catch (error) {
    throw new TlsContextError('the key cannot be read: it is not PKCS#8, or its keyPassphrase is wrong', error);
  }
}
