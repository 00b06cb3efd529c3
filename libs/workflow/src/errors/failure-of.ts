import type { JsonObject } from '../model/business-values.js';
import { BusinessFailure } from './business-failure.error.js';
import { causesOf, classNameOf } from './causes.js';
import { OutcomeUnknownError } from './outcome-unknown.error.js';
import { RemoteA2AError } from './remote-a2a.error.js';

/**
 * A failure as history and events show it.
 *
 * @publicApi
 */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details: JsonObject;
}

const NO_DETAILS: JsonObject = Object.freeze({});
const TIMEOUTS = new Set([
  'TimeoutException',
  'TimeoutError',
  'HeadersTimeoutError',
  'BodyTimeoutError',
  'ConnectTimeoutError',
]);
const TIMEOUT_CODES = new Set(['TIMEOUT', 'STALLED']);
const CANCELLATIONS = new Set(['CancellationException', 'AbortError']);

/**
 * What may be told of an error. The texts of a {@link BusinessFailure} and of agents are told; of everything else only
 * the name of the class, since a text may hold secrets.
 *
 * @publicApi
 */
export function failureOf(error: unknown): Failure {
  const chain = causesOf(error);
  const business = chain.find((entry) => entry instanceof BusinessFailure);
  if (business !== undefined) return failure(business.code, business.message, business.details);
  const remote = RemoteA2AError.findIn(error);
  if (remote !== undefined) return failure(remote.code, remote.message, remote.toDetails());
  const unknown = chain.find((entry) => entry instanceof OutcomeUnknownError);
  if (unknown !== undefined) return failure(unknown.code, unknown.message);
  const root = chain.at(-1);
  return failure(codeOf(root), classNameOf(root));
}

function codeOf(root: unknown): string {
  const name = classNameOf(root);
  if (TIMEOUTS.has(name) || TIMEOUT_CODES.has(ownCodeOf(root))) return 'workflow.timeout';
  return CANCELLATIONS.has(name) ? 'workflow.cancelled' : 'workflow.execution_failed';
}

function ownCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function failure(code: string, message: string, details: JsonObject = NO_DETAILS): Failure {
  return Object.freeze({ code, message, details });
}
