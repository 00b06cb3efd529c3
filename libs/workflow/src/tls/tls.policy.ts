import type { TlsContext } from 'nestjs-a2a/client';
import { SslContextFactory } from './ssl-context-factory.js';
import type { TlsFiles } from './tls-material.js';

/**
 * What a client shows of itself.
 *
 * @publicApi
 */
export interface MutualTlsFiles extends Pick<TlsFiles, 'caCertsPath' | 'clientKeyPassword'> {
  /** PEM, the client's certificate, then its chain. */
  readonly clientCertPath: string;
  /** PKCS#8, PEM or DER. */
  readonly clientKeyPath: string;
}

/**
 * What a client of a registry or an orchestration center demands of the other side. It holds for the clients that it is
 * given to, and for nothing else in the process. Files are read when the policy is made.
 *
 * @publicApi
 */
export class TlsPolicy {
  /** @param context of your own. Default: the authorities that Node knows, and the name */
  constructor(readonly context?: TlsContext) {}

  /** The certificate must lead to an authority that Node knows, and be for the host. */
  static strict(): TlsPolicy {
    return new TlsPolicy();
  }

  /**
   * The certificate must lead to an authority in this file (PEM), and be for the host.
   *
   * @throws WorkflowError `Failed to build outbound TLS context`
   */
  static trustedCa(path: string): TlsPolicy {
    return new TlsPolicy(SslContextFactory.create({ caCertsPath: path }));
  }

  /**
   * Any certificate will do: anybody on the way can read and change what is sent. For development.
   *
   * This says more than `sslVerify: false` of the engine's client, which still checks the name.
   */
  static insecure(): TlsPolicy {
    return new TlsPolicy(Object.freeze({ ...SslContextFactory.create({ sslVerify: false }), verifyHost: false }));
  }

  /**
   * As {@link strict}, or as {@link trustedCa} with `caCertsPath`; the client shows a certificate of its own.
   *
   * @throws WorkflowError `Failed to build outbound TLS context`
   */
  static mutualTls(files: MutualTlsFiles): TlsPolicy {
    return new TlsPolicy(SslContextFactory.create(files));
  }
}

/** What the older constructors of the registry's client mean by a truth value: `false` still checks the name. */
export function chainPolicy(sslVerify: boolean): TlsPolicy {
  return sslVerify ? TlsPolicy.strict() : new TlsPolicy(SslContextFactory.create({ sslVerify: false }));
}
