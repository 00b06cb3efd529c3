import type { A2AUser } from '../authorization/a2a-user.js';
import { checkScopes, checkSecret, checkUser, schemeFault } from './scheme-options.js';
import { SecretTable } from './secret-table.js';

/**
 * A secret, and whom it stands for.
 *
 * @publicApi
 */
export interface SecretOfUser {
  readonly secret: string;
  /** The caller's id. Tasks belong to it, whatever scheme it came by. */
  readonly user: string;
  /** What the caller is granted, where the card's requirements name scopes. */
  readonly scopes?: readonly string[];
}

/**
 * The users of a scheme by their secrets. A secret alone stands for one user named after the scheme.
 *
 * @throws A2AConfigurationError
 */
export function secretsOf(
  scheme: string,
  given: string | readonly SecretOfUser[],
  check = checkSecret,
): SecretTable<A2AUser> {
  // Not `Array.isArray`: a variable that is not set comes as `undefined`, and is to be told of.
  const entries: readonly SecretOfUser[] = isList(given) ? given : [{ secret: given, user: scheme }];
  if (entries.length === 0) throw schemeFault(scheme, 'has no secret, so nobody could call');
  const table = new SecretTable<A2AUser>();
  for (const { secret, user, scopes } of entries) {
    const known = {
      id: checkUser(scheme, user),
      authenticated: true,
      ...(checkScopes(scheme, scopes) && { scopes: [...scopes] }),
    };
    if (!table.add(check(scheme, secret), Object.freeze(known))) throw schemeFault(scheme, 'has a secret twice');
  }
  return table;
}

function isList(given: string | readonly SecretOfUser[]): given is readonly SecretOfUser[] {
  return typeof given === 'object' && given !== null;
}
