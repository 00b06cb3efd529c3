import type { JsonWebKey, KeyObject } from 'node:crypto';
import { isRecord } from '../is-record.js';
import type { AgentCardForm } from './canonical-card.js';
import {
  type AgentCardKeyMaterial,
  type AgentCardVerificationAlgorithm,
  fitsAlgorithm,
  textIn,
  verificationKeyOf,
} from './card-keys.js';

/** A set of public keys. @see RFC 7517, section 5 */
export interface JsonWebKeySet {
  readonly keys: readonly JsonWebKey[];
}

/** What a signature says of its key. */
export interface AgentCardKeyHint {
  readonly kid: string;
  readonly alg: string;
  /** Where the key is said to be found. Whoever wrote the card chose it: fetch only from addresses you know. */
  readonly jku?: string;
}

/** Finds a trusted key: `undefined` when there is none of that name. Bytes are a key that both sides share. */
export type AgentCardKeyLookup = (
  hint: AgentCardKeyHint,
) => AgentCardKeyMaterial | Uint8Array | undefined | Promise<AgentCardKeyMaterial | Uint8Array | undefined>;

/** Whose signatures on a card count. */
export interface AgentCardTrust {
  /** The trusted keys, as a JWKS or by a function. */
  readonly keys: JsonWebKeySet | AgentCardKeyLookup;
  /** Default ES256, ES384, RS256, PS256 and EdDSA. HS256 counts only when it is listed; `none` never does. */
  readonly algorithms?: readonly AgentCardVerificationAlgorithm[];
  /**
   * What must have been signed. Default all forms. With `['spec']` nothing can be added to the card, but cards with
   * empty values that the official SDKs have signed are refused.
   */
  readonly forms?: readonly AgentCardForm[];
}

/** The trusted keys that a signature may have been made with. */
export async function trustedKeys({ keys }: AgentCardTrust, hint: AgentCardKeyHint): Promise<KeyObject[]> {
  if (typeof keys !== 'function') {
    return keys.keys.filter((jwk) => isMeant(jwk, hint)).flatMap((jwk) => usable(jwk, hint));
  }
  const found = await keys(hint);
  return found === undefined ? [] : usable(found, hint);
}

function isMeant(jwk: JsonWebKey, { kid, alg }: AgentCardKeyHint): boolean {
  const operations = isRecord(jwk) ? jwk['key_ops'] : undefined;
  return (
    textIn(jwk, 'kid') === kid &&
    (textIn(jwk, 'alg') ?? alg) === alg &&
    (textIn(jwk, 'use') ?? 'sig') === 'sig' &&
    (!Array.isArray(operations) || operations.includes('verify'))
  );
}

/** A set may hold keys of kinds that mean nothing here. */
function usable(material: AgentCardKeyMaterial | Uint8Array, { alg }: AgentCardKeyHint): KeyObject[] {
  try {
    const key = verificationKeyOf(material);
    return fitsAlgorithm(key, alg) ? [key] : [];
  } catch {
    return [];
  }
}
