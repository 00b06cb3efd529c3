import { createTlsContext, type TlsContext } from 'nestjs-a2a/client';
import { WorkflowError } from '../errors/workflow.error.js';
import { type TlsFiles, tlsMaterial } from './tls-material.js';

/**
 * What a context is made of.
 *
 * @publicApi
 */
export interface SslContextSettings extends TlsFiles {
  /**
   * False: certificates need not lead to a known authority. The name is checked, and the client's own certificate shown,
   * all the same. Default: true.
   */
  readonly sslVerify?: boolean;
}

/**
 * Makes what the engine trusts and shows when it speaks TLS with agents.
 *
 * @publicApi
 */
export const SslContextFactory = {
  /**
   * Files are read now, once. Nothing is left out when something is wrong with it.
   *
   * With revocation lists each authority of a server's chain needs one that is in force; they cannot be had together
   * with `sslVerify: false`, where nobody looks at the chain.
   *
   * @param settings those of the engine's client will do
   * @returns for the `tls` option of `DefaultA2ARuntime` and of `A2AClient`
   * @throws WorkflowError `Failed to build outbound TLS context`; its cause says why
   */
  create(settings: SslContextSettings = {}): TlsContext {
    try {
      return createTlsContext({ ...tlsMaterial(settings), verifyChain: settings.sslVerify ?? true });
    } catch (cause) {
      throw new WorkflowError('workflow.tls', 'Failed to build outbound TLS context', { cause });
    }
  },
};
