import type { A2AUser } from './a2a-user.js';

const callers = new WeakMap<object, A2AUser>();

/**
 * Keeps who calls, as a scheme of ours found out, with the framework's request, and puts it where guards look for it
 * unless the host has put somebody there.
 */
export function rememberCaller(request: object, user: A2AUser): void {
  callers.set(request, user);
  const known: unknown = 'user' in request ? request.user : undefined;
  if (known === undefined || known === null || known === false) Reflect.set(request, 'user', user);
}

/** Who calls, as far as schemes of ours know. */
export function callerOf(request: object): A2AUser | undefined {
  return callers.get(request);
}
