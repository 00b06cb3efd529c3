import type { SecureContext } from 'node:tls';

/**
 * What a client trusts and shows when it speaks TLS. Belongs to the clients it is given to; nothing else in the process
 * changes.
 *
 * @publicApi
 */
export interface TlsContext {
  /** Node's own, with authorities, certificate, key and revocations in it. */
  readonly secureContext: SecureContext;
  /** False: any certificate that is for the right name will do. */
  readonly verifyChain: boolean;
  /** False, and `verifyChain` too: a certificate for any name will do. Default: true. */
  readonly verifyHost?: boolean;
  /** Is there a certificate to show? */
  readonly hasClientCertificate: boolean;
}

/**
 * Each of `ca`, `cert`, `key` and `crl` as text or bytes, or as a file that is read once. PEM, or DER where it says so.
 *
 * @publicApi
 */
export interface TlsContextOptions {
  /** PEM, one or more certificates; instead of the authorities that Node knows. */
  ca?: string | readonly string[];
  caFile?: string;
  /** PEM; the client's own certificate, then those between it and its authority. Needs a key. */
  cert?: string;
  certFile?: string;
  /** The key of the certificate: PKCS#8, encrypted or not, as PEM or DER. */
  key?: string | Uint8Array;
  keyFile?: string;
  /** Of an encrypted key. */
  keyPassphrase?: string;
  /**
   * PEM, one or more revocation lists. Every authority of a server's chain needs one that is in force, else the
   * connection fails.
   */
  crl?: string | readonly string[];
  crlFile?: string;
  /**
   * False: the certificate of the other side may be expired, self-signed or of an unknown authority; it must still be
   * for the name that was asked for. For development and for networks that check in another place. Default true.
   */
  verifyChain?: boolean;
}
