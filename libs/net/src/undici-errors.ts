import { ForbiddenTargetError, SafeHttpError, type SafeHttpErrorCode } from './errors.js';
import { tlsFaultOf } from './tls/tls-faults.js';

const CODES: Readonly<Record<string, readonly [SafeHttpErrorCode, string]>> = {
  UND_ERR_HEADERS_TIMEOUT: ['TIMEOUT', 'No headers of an answer in time'],
  UND_ERR_BODY_TIMEOUT: ['TIMEOUT', 'The answer stopped coming'],
  UND_ERR_HEADERS_OVERFLOW: ['ANSWER_TOO_LARGE', 'The headers of the answer are too large'],
};

/** Makes an error of ours of whatever failed below; the original is the cause. */
export function toSafeHttpError(error: unknown): Error {
  if (error instanceof ForbiddenTargetError || error instanceof SafeHttpError) return error;
  const code = codeOf(error);
  const tlsFault = tlsFaultOf(code);
  if (tlsFault !== undefined) return new SafeHttpError('TLS_FAILED', `TLS failed (${code}): ${tlsFault}`, error);
  const [kind, message] = CODES[code] ?? ['CONNECT_FAILED', `The connection failed (${code})`];
  return new SafeHttpError(kind, message, error);
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[\w/]+$/.test(code) ? code : 'UNKNOWN';
}
