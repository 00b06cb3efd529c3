import type { ClientNetwork } from 'nestjs-a2a/client';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { chainPolicy, TlsPolicy } from '../tls/tls.policy.js';
import type { HttpAuthProvider } from './http-auth.provider.js';

/**
 * Options of {@link RegistryClient}.
 *
 * @publicApi
 */
export interface RegistryClientOptions {
  /** Default: nobody. */
  readonly auth?: HttpAuthProvider | null;
  /** Default: `TlsPolicy.strict()`. */
  readonly tls?: TlsPolicy;
  /** Milliseconds for a whole call: credentials, connection, headers and body. Default: 30,000. */
  readonly deadlineMs?: number;
  /** Where the registry may be. Default: `'any'`, since the host names it. */
  readonly network?: ClientNetwork;
  /** Of an answer. Default: 16 MiB. */
  readonly maxAnswerBytes?: number;
}

/** The forms of the constructor, after the URL. */
export type RegistryClientArguments =
  | readonly [options?: RegistryClientOptions]
  | readonly [auth: HttpAuthProvider | null, tls?: TlsPolicy, deadlineMs?: number]
  | readonly [sslVerify: boolean, deadlineMs?: number];

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;
// What is longer, a timer takes for nothing.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** @throws WorkflowArgumentError */
export function registryClientOptions(given: RegistryClientArguments): Required<RegistryClientOptions> {
  const { auth = null, tls, deadlineMs = DEFAULT_DEADLINE_MS, network, maxAnswerBytes } = optionsOf(given);
  if (!(deadlineMs > 0)) throw new WorkflowArgumentError('deadline must be positive');
  return {
    auth,
    tls: tls ?? TlsPolicy.strict(),
    deadlineMs: Math.min(deadlineMs, LONGEST_TIMER_MS),
    network: network ?? 'any',
    maxAnswerBytes: maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
  };
}

function optionsOf([first, second, third]: RegistryClientArguments): RegistryClientOptions {
  if (typeof first === 'boolean') {
    return { tls: chainPolicy(first), deadlineMs: typeof second === 'number' ? second : undefined };
  }
  if (first !== undefined && first !== null && !('headersFor' in first)) return first;
  return { auth: first, tls: second instanceof TlsPolicy ? second : undefined, deadlineMs: third };
}
