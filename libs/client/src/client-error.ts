import { retryAfterOf } from 'nestjs-a2a/net';
/** What an error may carry besides its code. */
export interface A2AClientErrorDetails {
  /** After how many seconds it is worth trying again. */
  readonly retryAfterSeconds?: number;
  /** For the log. */
  readonly cause?: unknown;
}

/**
 * A call failed on this side, or on the way: what the agent itself answers is an `A2AError` of `nestjs-a2a/protocol`.
 * Messages hold no credentials.
 *
 * @publicApi
 */
export class A2AClientError extends Error {
  /** After how many seconds it is worth trying again. */
  readonly retryAfterSeconds?: number;

  /** @param code stable name of the kind of error in UPPER_SNAKE_CASE, e.g. `TIMEOUT` */
  constructor(
    readonly code: string,
    message: string,
    details: A2AClientErrorDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    if (details.retryAfterSeconds !== undefined) this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Headers that hold secrets, or that lead to them. */
const SECRET_HEADER = /cookie|auth|token|key|secret|credential|signature|session/i;
// Says which schemes there are, not what to show for them.
const CHALLENGE = 'www-authenticate';
// Servers tell the URL they were called with in many a header, and a key may be in it.
const QUERY = /\?[^\s"'<>,;]*=[^\s"'<>,;]*/g;

/**
 * What HTTP told about a failed call. It is thrown where the answer is none of the protocol's, and is the `cause` of the
 * `A2AError` where it is one.
 *
 * @publicApi
 */
export class A2AHttpError extends A2AClientError {
  /** Names in lower case; the values of those that may hold secrets, and queries of URLs, are `[redacted]`. */
  readonly headers: Readonly<Record<string, string | undefined>>;

  /** @param status HTTP status */
  constructor(
    readonly status: number,
    headers: Readonly<Record<string, string | undefined>>,
    message: string,
    code = 'HTTP_ERROR',
  ) {
    super(code, message, { retryAfterSeconds: retryAfterSecondsOf(headers['retry-after']) });
    this.headers = redacted(headers);
  }
}

/** The seconds that a `Retry-After` header asks for. */
export function retryAfterSecondsOf(header: string | undefined): number | undefined {
  const milliseconds = retryAfterOf(header, Date.now());
  return milliseconds === undefined ? undefined : Math.ceil(milliseconds / 1000);
}

function redacted(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
  return Object.freeze(
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name !== CHALLENGE && SECRET_HEADER.test(name) ? '[redacted]' : value?.replaceAll(QUERY, '?[redacted]'),
      ]),
    ),
  );
}
