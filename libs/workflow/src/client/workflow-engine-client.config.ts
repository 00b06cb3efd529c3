import type { ClientNetwork } from 'nestjs-a2a/client';
import type { AuthProvider } from '../credentials/auth-provider.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { type EngineLog, safeLog, SILENT_LOG } from '../logging/engine-log.js';
import { WireLog } from '../logging/wire-log.js';
import { BusinessValues, type JsonObject } from '../model/business-values.js';

/**
 * Settings of the engine's client, checked and complete. Made by {@link workflowEngineClientConfig}.
 *
 * @publicApi
 */
export interface WorkflowEngineClientConfig {
  /**
   * Whether certificates of agents must lead to a known authority. `false` leaves the check of the name and the client's
   * own certificate as they are. Default: true.
   */
  readonly sslVerify: boolean;
  /** PEM file with the authorities to trust. Default: those that Node knows. */
  readonly caCertsPath: string | null;
  /** PEM file with the client's certificate and its chain; needs a key. */
  readonly clientCertPath: string | null;
  /** PKCS#8 file with the key of the certificate, PEM or DER. */
  readonly clientKeyPath: string | null;
  /** Of an encrypted key. */
  readonly clientKeyPassword: string | null;
  /** X.509 revocation lists. */
  readonly crlPath: string | null;
  /** Silence on a stream, a callback of the host, and a whole interaction may take this long. Default: 600. */
  readonly sendTimeoutSeconds: number;
  /** Until a subscription to notifications must be acknowledged. Default: 300. */
  readonly notificationAckTimeoutSeconds: number;
  /** Between two questions about a task that is not followed by a stream; at least 100. Default: 20,000. */
  readonly taskPollIntervalMillis: number;
  /** Only checked: there are no threads to be kept. Default: 4. */
  readonly sendExecutorCoreSize: number;
  /** How many sends are on their way at the same time; more of them wait. Default: 16. */
  readonly sendExecutorMaxSize: number;
  /** Only checked: a send that waits is never refused. Default: 256. */
  readonly sendExecutorQueueCapacity: number;
  /** Binding that is used where a card has it, e.g. `HTTP+JSON`; letter case does not count. Default: the card's first. */
  readonly preferredProtocol: string | null;
  /** Adds headers to every call. */
  readonly authProvider: AuthProvider | null;
  /** JSON file with credentials; excludes `credentialsConfig`. */
  readonly credentialsConfigPath: string | null;
  /** The same, given directly. */
  readonly credentialsConfig: JsonObject | null;
  /** 64 hexadecimal characters; opens `enc:` values of the credentials. */
  readonly credentialEncryptionKey: string | null;
  /** How many proposals of an agent are answered in one interaction. Default: 3. */
  readonly maxNegotiationExchanges: number;
  /**
   * Where agents may be reached. Default: `'any'`, since cards come from the host or its registry. Restrict it when
   * others can put cards there.
   */
  readonly network: ClientNetwork;
  /** Told of what fails beside the way. Default: nobody. */
  readonly log: EngineLog;
  /** Told of what goes over the wire. Default: nobody. */
  readonly wireLog: WireLog;
}

/**
 * What can be set; `null` and what is left out stand for the default.
 *
 * @publicApi
 */
export type WorkflowEngineClientOptions = {
  readonly [K in Exclude<keyof WorkflowEngineClientConfig, 'credentialsConfig'>]?: WorkflowEngineClientConfig[K] | null;
} & { readonly credentialsConfig?: object | null };

const DEFAULTS: WorkflowEngineClientConfig = Object.freeze({
  sslVerify: true,
  caCertsPath: null,
  clientCertPath: null,
  clientKeyPath: null,
  clientKeyPassword: null,
  crlPath: null,
  sendTimeoutSeconds: 600,
  notificationAckTimeoutSeconds: 300,
  taskPollIntervalMillis: 20_000,
  sendExecutorCoreSize: 4,
  sendExecutorMaxSize: 16,
  sendExecutorQueueCapacity: 256,
  preferredProtocol: null,
  authProvider: null,
  credentialsConfigPath: null,
  credentialsConfig: null,
  credentialEncryptionKey: null,
  maxNegotiationExchanges: 3,
  network: 'any',
  log: SILENT_LOG,
  wireLog: WireLog.OFF,
});

const MIN_POLL_INTERVAL_MS = 100;

/**
 * Checks settings and completes them.
 *
 * @returns a frozen copy; `credentialsConfig` is copied deeply
 * @throws WorkflowArgumentError that names what is wrong
 * @publicApi
 */
export function workflowEngineClientConfig(options: WorkflowEngineClientOptions = {}): WorkflowEngineClientConfig {
  const { credentialsConfig = null, ...plain } = options;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined && value !== null));
  const config: WorkflowEngineClientConfig = {
    ...DEFAULTS,
    ...given,
    credentialsConfig: credentialsConfig === null ? null : BusinessValues.map(credentialsConfig),
    log: options.log ? safeLog(options.log) : SILENT_LOG,
  };
  check(config);
  return Object.freeze(config);
}

function check(config: WorkflowEngineClientConfig): void {
  const { sendTimeoutSeconds, notificationAckTimeoutSeconds, taskPollIntervalMillis, maxNegotiationExchanges } = config;
  if (!(sendTimeoutSeconds > 0) || !(notificationAckTimeoutSeconds > 0)) fail('Timeouts must be positive');
  if (!(taskPollIntervalMillis >= MIN_POLL_INTERVAL_MS)) fail('taskPollIntervalMillis must be at least 100ms');
  const { sendExecutorCoreSize: core, sendExecutorMaxSize: max, sendExecutorQueueCapacity: queue } = config;
  const sizes = [core, max, queue];
  if (!sizes.every(Number.isInteger) || core < 1 || max < core || queue < 1) {
    fail('Invalid send executor configuration');
  }
  if (!Number.isInteger(maxNegotiationExchanges) || maxNegotiationExchanges < 1) {
    fail('maxNegotiationExchanges must be positive');
  }
  if (config.credentialsConfigPath !== null && config.credentialsConfig !== null) {
    fail('credentialsConfigPath and credentialsConfig are mutually exclusive');
  }
}

function fail(message: string): never {
  throw new WorkflowArgumentError(message);
}
