import { A2AHttpError } from 'nestjs-a2a/client';
import { A2AError, errorDetails, errorRowOf, isRecord, type JsonValue } from 'nestjs-a2a/protocol';
import { BusinessValues, type JsonObject } from '../model/business-values.js';
import { causesOf } from './causes.js';
import { redactDetail, redactHeaders, redactValue } from './redaction.js';
import { WorkflowError } from './workflow.error.js';

const MAX_DETAILS = 32;

/**
 * What an agent's error is made of.
 *
 * @publicApi
 */
export interface RemoteA2AErrorInit {
  /** As in the envelope, 400 to 599. */
  remoteCode: number;
  status?: string;
  message: string;
  details?: readonly unknown[];
  /** Of the answer. */
  httpStatus?: number;
  headers?: Readonly<Record<string, string | undefined>>;
  /** Seconds. */
  retryAfter?: number;
  cause?: unknown;
}

/**
 * An agent answered with an error. Details and headers hold no secrets, and no text of more than 512 characters.
 *
 * `code` is that of the failed task: `a2a.<reason>`, or `a2a.http.<status>` when there is no reason.
 *
 * @publicApi
 */
export class RemoteA2AError extends WorkflowError {
  /** The number in the agent's envelope. */
  readonly remoteCode: number;
  /** Name that goes with the number, e.g. `NOT_FOUND`. */
  readonly status?: string;
  readonly details: readonly JsonValue[];
  /** Of the first detail that has one. */
  readonly reason?: string;
  /** Whose reason it is. */
  readonly domain?: string;
  /** Of the answer when it is 4xx or 5xx, else the number in the envelope. */
  readonly httpStatus: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** After how many seconds it is worth trying again. */
  readonly retryAfter?: number;

  constructor(init: RemoteA2AErrorInit) {
    const details = (init.details ?? []).slice(0, MAX_DETAILS).map(redactValue);
    const { reason, domain } = reasonIn(details);
    const httpStatus = isErrorStatus(init.httpStatus) ? init.httpStatus : init.remoteCode;
    super(failureCode(reason, httpStatus), redactDetail(init.message), causeOption(init.cause));
    this.remoteCode = init.remoteCode;
    this.details = BusinessValues.list(details);
    this.httpStatus = httpStatus;
    this.headers = redactHeaders(init.headers ?? {});
    if (init.status !== undefined) this.status = redactDetail(init.status);
    if (reason !== undefined) this.reason = reason;
    if (domain !== undefined) this.domain = domain;
    if (init.retryAfter !== undefined) this.retryAfter = init.retryAfter;
  }

  /**
   * The agent's error behind an error, however deep: one of these, or one made of an `A2AError` or `A2AHttpError` of the
   * client.
   *
   * @returns `undefined` when no agent said anything
   */
  static findIn(error: unknown): RemoteA2AError | undefined {
    const chain = causesOf(error);
    const known = chain.find((entry) => entry instanceof RemoteA2AError);
    if (known !== undefined) return known;
    for (const entry of chain) {
      const made = fromClientError(entry);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  /** What goes to history and events. */
  toDetails(): JsonObject {
    const { httpStatus, remoteCode, status, reason, domain, details, retryAfter } = this;
    return BusinessValues.map({
      httpStatus,
      code: remoteCode,
      ...(status !== undefined && { status }),
      ...(reason !== undefined && { reason }),
      ...(domain !== undefined && { domain }),
      ...(details.length > 0 && { details }),
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
}

/** `Rate-Limit Exceeded!` becomes `a2a.rate_limit_exceeded`. */
function failureCode(reason: string | undefined, httpStatus: number): string {
  const words = (reason ?? '').toLowerCase().match(/[a-z0-9]+/g);
  return words === null ? `a2a.http.${httpStatus}` : `a2a.${words.join('_')}`;
}

function reasonIn(details: readonly JsonValue[]): { reason?: string; domain?: string } {
  for (const detail of details) {
    if (!isRecord(detail) || typeof detail['reason'] !== 'string') continue;
    const { reason, domain } = detail;
    return { reason, ...(typeof domain === 'string' && { domain }) };
  }
  return {};
}

function fromClientError(error: unknown): RemoteA2AError | undefined {
  if (error instanceof A2AError) return fromProtocolError(error);
  if (!(error instanceof A2AHttpError) || !isErrorStatus(error.status)) return undefined;
  const { status, headers, retryAfterSeconds: retryAfter, message } = error;
  return new RemoteA2AError({ remoteCode: status, message, headers, retryAfter, cause: error });
}

function fromProtocolError(error: A2AError): RemoteA2AError {
  const http = error.cause instanceof A2AHttpError ? error.cause : undefined;
  const row = errorRowOf(error.code);
  const surface = row?.surface['1.0.1'] ?? { http: 500, status: 'INTERNAL' };
  const isNameless = row === undefined && error.code === 'UNKNOWN';
  const [info, ...others] = errorDetails(error);
  return new RemoteA2AError({
    remoteCode: surface.http,
    status: surface.status,
    message: error.message,
    details: [isNameless ? { ...info, reason: 'INTERNAL' } : info, ...others],
    httpStatus: http?.status,
    headers: http?.headers,
    retryAfter: error.retryAfterSeconds,
    cause: error,
  });
}

function isErrorStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 400 && status <= 599;
}

function causeOption(cause: unknown): ErrorOptions | undefined {
  return cause === undefined ? undefined : { cause };
}
