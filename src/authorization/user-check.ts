import type { A2AUser } from './a2a-user.js';

/**
 * The user that code of the host's own gave, when it is one. An id that is not there would be no owner at all, which is
 * every owner to a store; a text instead of a list of scopes would grant each part of it.
 *
 * @param source who gave it, for the error
 * @throws Error that tells nothing of the user
 */
export function checkedUser(user: unknown, source: string): A2AUser {
  if (!isUser(user)) {
    throw new Error(`${source} gave no A2AUser: { id: string, authenticated: boolean, scopes?: string[] }`);
  }
  // Such a caller would share the tasks of those whom nobody knows.
  if (user.authenticated && user.id === '') throw new Error(`${source} gave an authenticated user without an id`);
  return user;
}

function isUser(user: unknown): user is A2AUser {
  if (typeof user !== 'object' || user === null || !('id' in user) || !('authenticated' in user)) return false;
  const scopes: unknown = 'scopes' in user ? user.scopes : undefined;
  return typeof user.id === 'string' && typeof user.authenticated === 'boolean' && areScopes(scopes);
}

/** Whether it can stand for scopes; nothing can. */
export function areScopes(scopes: unknown): boolean {
  return scopes === undefined || (Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string'));
}
