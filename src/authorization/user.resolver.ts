import { ANONYMOUS_USER, type A2AUser } from './a2a-user.js';
import { callerOf } from './request-caller.js';

/**
 * Tells who calls, from the host framework's request as its guards left it. The class is its own injection token.
 *
 * @publicApi
 */
export abstract class UserResolver {
  abstract resolve(request: object): A2AUser | Promise<A2AUser>;
}

/**
 * The default: `request.user`, as Passport and most guards set it. A string is the id; of an object the first of `id`,
 * `sub`, `userId`, `username`, `name` and `email` that is a non-empty string or a number. Without one, the caller that
 * a scheme of `forRoot({ authentication })` has found. No user is anonymous; a user without any of these is an error.
 *
 * @publicApi
 */
export class RequestUserResolver extends UserResolver {
  override resolve(request: object): A2AUser {
    const caller = callerOf(request);
    const user: unknown = 'user' in request ? request.user : undefined;
    if (user === undefined || user === null || user === false || user === caller) return caller ?? ANONYMOUS_USER;
    const id = idOf(user);
    // A caller that a guard knows must not share the tasks of those whom nobody knows.
    if (id === undefined) throw new Error(`request.user has none of ${ID_KEYS.join(', ')}: provide a UserResolver`);
    return { id, authenticated: true, claims: user };
  }
}

const ID_KEYS = ['id', 'sub', 'userId', 'username', 'name', 'email'];

function idOf(user: unknown): string | undefined {
  if (typeof user === 'string') return user || undefined;
  if (typeof user !== 'object' || user === null) return undefined;
  const claims = new Map<string, unknown>(Object.entries(user));
  for (const key of ID_KEYS) {
    const value = claims.get(key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return undefined;
}
