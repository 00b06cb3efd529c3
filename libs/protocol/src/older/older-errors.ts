import { A2AError } from '../errors/a2a-error.js';
import { errorRowOf } from '../errors/error-catalog.js';
import type { JsonRpcId } from '../rpc/envelope.js';

const INTERNAL = { status: 500, code: 'INTERNAL_ERROR' };

// What has a code of its own there, and where the HTTP status is not that of the catalog.
const SURFACES: ReadonlyMap<string, Partial<OlderSurface>> = new Map<string, Partial<OlderSurface>>([
  ['UNAUTHENTICATED', { code: 'AUTHENTICATION_FAILED' }],
  ['TASK_NOT_FOUND', { code: 'TASK_NOT_FOUND' }],
  ['INTERNAL_ERROR', INTERNAL],
  ['INVALID_AGENT_RESPONSE', INTERNAL],
  ['PERMISSION_DENIED', { code: 'PERMISSION_DENIED' }],
  ['RESOURCE_EXHAUSTED', { code: 'RESOURCE_EXHAUSTED' }],
  ['UNAVAILABLE', { code: 'UNAVAILABLE' }],
  ['METHOD_NOT_FOUND', { status: 400 }],
  ['CONTENT_TYPE_NOT_SUPPORTED', { status: 415 }],
]);

/** How an error looks in the older exchange. */
export interface OlderSurface {
  /** HTTP status. */
  readonly status: number;
  /** `error.code`, a word. */
  readonly code: string;
}

/** How an error looks in the older exchange: a word for a code, and an HTTP status that says it as well. */
export function olderSurfaceOf(error: unknown): OlderSurface {
  const { code } = A2AError.from(error);
  const row = errorRowOf(code);
  // An error of a user's own code is, to the protocol, an internal one.
  if (row === undefined) return INTERNAL;
  return { status: row.surface['1.0.1'].http, code: 'INVALID_REQUEST', ...SURFACES.get(code) };
}

/** The text of a failed answer of the older exchange. Foreign errors are masked, see `A2AError.from`. */
export function olderFailure(id: JsonRpcId, error: unknown): string {
  const known = A2AError.from(error);
  const { code } = olderSurfaceOf(known);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: known.message } });
}
