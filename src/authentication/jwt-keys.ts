import { createLocalJWKSet, type JWTVerifyGetKey } from 'jose';

/** Finds the keys that tokens are checked with. */
export interface JwtKeys {
  readonly find: JWTVerifyGetKey;
  close(): Promise<void>;
}

/** Keys that are given once and for all. */
export class FixedKeys implements JwtKeys {
  constructor(readonly find: JWTVerifyGetKey) {}

  async close(): Promise<void> {}
}

// The whole set is gone through for each token without `kid`.
const MAX_KEYS = 100;

/** The keys of a JWKS as it was fetched or given. @throws Error when it is none, or holds too many */
export function keySetOf(value: unknown): JWTVerifyGetKey {
  if (!isKeySet(value)) throw new Error('The answer is no JSON Web Key Set');
  if (value.keys.length > MAX_KEYS) throw new Error(`The key set has more than ${MAX_KEYS} keys`);
  return createLocalJWKSet(value);
}

function isKeySet(value: unknown): value is Parameters<typeof createLocalJWKSet>[0] {
  return typeof value === 'object' && value !== null && 'keys' in value && Array.isArray(value.keys);
}
