import { PermissionDeniedError } from 'nestjs-a2a/protocol';
import { bearerChallenge } from './challenge.js';

/** The caller is known, and was not granted the scopes that the card demands. @see RFC 6750, section 3.1 */
export class InsufficientScopeError extends PermissionDeniedError {
  /** Value for the `WWW-Authenticate` header; absent where no token carries the scopes. */
  readonly challenge?: string;

  /** @param byToken whether the scopes come with a bearer token */
  constructor(scopes: readonly string[], byToken: boolean) {
    super('The credentials lack a scope that this agent demands');
    if (byToken) this.challenge = bearerChallenge('insufficient_scope', scopes);
  }
}
