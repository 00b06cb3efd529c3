import type { BackoffOptions } from './calls/backoff.js';
import type { A2AClientOptions } from './client-options.js';
import type { TrustedSigner } from './discovery/card-trust.js';
import { LIMIT_NAMES } from './http/limit-names.js';
import { checkNames, type NamesOf } from './option-names.js';
import type { PollingOptions } from './streams/task-poller.js';

const WHAT = 'The options of A2AClient';

const NAMES: NamesOf<A2AClientOptions> = {
  credentials: true,
  credentialOrigins: true,
  network: true,
  tls: true,
  connectTimeoutMs: true,
  limits: true,
  maxFrameLength: true,
  retry: true,
  resumeStreams: true,
  maxResumes: true,
  polling: true,
  preferredProtocol: true,
  protocols: true,
  transports: true,
  trust: true,
  cardLifetimeSeconds: true,
  cardPath: true,
  interceptors: true,
  http: true,
  wait: true,
};
const RETRY: NamesOf<BackoffOptions> = { attempts: true, initialDelayMs: true, maxDelayMs: true };
const POLLING: NamesOf<PollingOptions> = { initialDelayMs: true, maxDelayMs: true };
const SIGNER: NamesOf<TrustedSigner> = { keys: true, keySetUrls: true, algorithms: true, origins: true };

/**
 * The names in what a client is given. Those in `network`, `tls` and credentials are looked at by whoever reads them.
 *
 * @throws A2AClientError `INVALID_CONFIGURATION`
 */
export function checkClientOptions(options: A2AClientOptions): void {
  checkNames(WHAT, options, NAMES);
  const { limits, retry, polling, trust = [] } = options;
  if (limits !== undefined) checkNames(`${WHAT}, limits`, limits, LIMIT_NAMES);
  if (retry !== undefined) checkNames(`${WHAT}, retry`, retry, RETRY);
  if (polling !== undefined) checkNames(`${WHAT}, polling`, polling, POLLING);
  trust.forEach((signer, index) => checkNames(`${WHAT}, trust[${index}]`, signer, SIGNER));
}
