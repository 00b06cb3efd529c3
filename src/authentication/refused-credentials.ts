import { UnauthenticatedError } from 'nestjs-a2a/protocol';

/** Why credentials were refused, for the log: one of our own words, never what the caller sent. */
class RefusedCredentials extends Error {
  constructor(readonly reason: string) {
    super(`Credentials were refused: ${reason}`);
    this.name = 'RefusedCredentials';
  }
}

/**
 * The error of credentials that are there and wrong. The caller is not told why; the log is.
 *
 * @param reason without anything that the caller sent
 */
export function refusedCredentials(reason: string, challenge?: string): UnauthenticatedError {
  return new UnauthenticatedError(challenge, { cause: new RefusedCredentials(reason) });
}

/** The reason of a refusal, if it is one of ours. */
export function refusalReasonOf(error: UnauthenticatedError): string {
  return error.cause instanceof RefusedCredentials ? error.cause.reason : 'refused';
}
