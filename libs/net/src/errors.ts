/**
 * A request was refused before, or instead of, being sent: its target may not be reached.
 *
 * The message names neither the URL nor the address: a URL may hold secrets, and the address of a name is the business
 * of the network this runs in.
 */
export class ForbiddenTargetError extends Error {
  readonly code = 'FORBIDDEN_TARGET';

  /** @param reason short text without secrets, e.g. `loopback address` */
  constructor(readonly reason: string) {
    super(`The target is refused: ${reason}`);
    this.name = 'ForbiddenTargetError';
  }
}

/**
 * Why a request failed.
 *
 * - `DNS_FAILED`: the name has no address
 * - `CONNECT_FAILED`: no connection, a broken connection or an answer that is not HTTP
 * - `TLS_FAILED`: certificates or settings that do not fit; another attempt changes nothing
 * - `TIMEOUT`: one of the limits in time is over
 * - `STALLED`: nothing more came on an open stream for too long
 * - `ANSWER_TOO_LARGE`: more headers or body than wanted
 * - `BAD_HEADER`: a header that may not be sent; nothing was sent
 * - `CLOSED`: the client was closed
 */
export type SafeHttpErrorCode =
  'DNS_FAILED' | 'CONNECT_FAILED' | 'TLS_FAILED' | 'TIMEOUT' | 'STALLED' | 'ANSWER_TOO_LARGE' | 'BAD_HEADER' | 'CLOSED';

/** A request that was allowed failed. The cause is for the log: it may name addresses. */
export class SafeHttpError extends Error {
  constructor(
    readonly code: SafeHttpErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SafeHttpError';
  }
}
