import { createPublicKey, KeyObject, sign, verify, type JsonWebKey } from 'node:crypto';
import { FlattenedSign } from 'jose';
import { decodeAgentCard } from '../decoders.js';
import type { AgentCard, AgentCardSignature } from '../types/agent-card.js';
import { canonicalAgentCard, type AgentCardForm } from './canonical-card.js';
import {
  AGENT_CARD_ALGORITHMS,
  type AgentCardAlgorithm,
  type AgentCardKeyMaterial,
  defaultAlgorithmOf,
  fitsAlgorithm,
  isAgentCardAlgorithm,
  privateKeyOf,
  textIn,
} from './card-keys.js';
import { AgentCardSigningError } from './signing.errors.js';

/** A private key that cards are signed with. */
export interface AgentCardSigningKey {
  /** JWK, PEM, or a key object of Node. */
  readonly key: AgentCardKeyMaterial;
  /** The name by which verifiers find the public key. Default: the `kid` of the JWK. */
  readonly kid?: string;
  /** Default: the `alg` of the JWK, else what the key is for: ES256, ES384, RS256, PS256 or EdDSA. */
  readonly alg?: AgentCardAlgorithm;
  /** Where the public keys are found; goes into the signature. Default none. */
  readonly jku?: string;
}

/** A signing key that was looked at. It prints nothing that is secret. */
export interface PreparedSigningKey {
  readonly key: KeyObject;
  readonly kid: string;
  readonly alg: AgentCardAlgorithm;
  readonly jku?: string;
}

/** How a card is signed. */
export interface SignAgentCardOptions {
  /**
   * Each key signs each of these forms that differs from the ones before. Default `['spec']`; `['spec', 'sdk']` is
   * understood by the official SDKs as well when the card has empty values.
   */
  readonly forms?: readonly AgentCardForm[];
}

/**
 * Looks at a signing key and fills in what it leaves open.
 *
 * @throws AgentCardSigningError that does not show the key
 */
export function prepareSigningKey(signing: AgentCardSigningKey): PreparedSigningKey {
  const kid = signing.kid ?? textIn(signing.key, 'kid');
  if (typeof kid !== 'string' || kid === '') throw keyError('it needs a kid');
  const key = readKey(signing.key);
  // No JWKS can hold one, and the hash that it may demand is known only when it signs.
  if (key.asymmetricKeyType === 'rsa-pss') throw keyError('it is tied to RSA-PSS: use an RSA key, with the alg PS256');
  const known = AGENT_CARD_ALGORITHMS.join(', ');
  const alg = signing.alg ?? textIn(signing.key, 'alg') ?? defaultAlgorithmOf(key);
  if (alg === undefined) throw keyError(`it can be used with none of ${known}: ${kindOf(key)}`);
  if (!isAgentCardAlgorithm(alg)) throw keyError(`its algorithm must be one of ${known}`);
  if (!fitsAlgorithm(key, alg)) throw keyError(`it cannot be used with ${alg}: ${kindOf(key)}`);
  return signing.jku === undefined ? { key, kid, alg } : { key, kid, alg, jku: signing.jku };
}

/** The public half of a signing key, as it stands in a JWKS. */
export function publicJwkOf({ key, kid, alg }: PreparedSigningKey): JsonWebKey {
  return { ...createPublicKey(key).export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

/**
 * Signs a card: a JWS with detached payload for each key. Signatures that it has already are kept.
 *
 * @param card the finished card; what is changed afterwards makes the signatures void
 * @returns a copy, without fields the protocol does not know
 * @throws AgentCardSigningError
 * @see A2A 1.0, section 8.4.2, and RFC 7515
 */
export async function signAgentCard(
  card: AgentCard,
  keys: readonly AgentCardSigningKey[],
  { forms = ['spec'] }: SignAgentCardOptions = {},
): Promise<AgentCard> {
  const decoded = decodeAgentCard(card);
  if (!decoded.ok) {
    const faults = decoded.violations.map(({ field, description }) => `${field} ${description}`);
    throw new AgentCardSigningError('AGENT_CARD_INVALID', `The card cannot be signed: ${faults.join('; ')}`);
  }
  if (keys.length === 0) throw keyError('there is none');
  const prepared = keys.map(prepareSigningKey);
  const payloads = payloadsOf(decoded.value, forms);
  const signatures: AgentCardSignature[] = [...(decoded.value.signatures ?? [])];
  for (const payload of payloads) {
    for (const key of prepared) signatures.push(await signatureOf(payload, key));
  }
  return { ...decoded.value, signatures };
}

function payloadsOf(card: AgentCard, forms: readonly AgentCardForm[]): ReadonlySet<string> {
  try {
    return new Set(forms.map((form) => canonicalAgentCard(card, form)));
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'it has no canonical form';
    throw new AgentCardSigningError('AGENT_CARD_INVALID', `The card cannot be signed: ${problem}`);
  }
}

async function signatureOf(payload: string, { key, kid, alg, jku }: PreparedSigningKey): Promise<AgentCardSignature> {
  const header = { alg, typ: 'JOSE', kid, ...(jku === undefined ? {} : { jku }) };
  const jws = await new FlattenedSign(new TextEncoder().encode(payload)).setProtectedHeader(header).sign(key);
  return { protected: jws.protected ?? '', signature: jws.signature };
}

function readKey(material: AgentCardKeyMaterial): KeyObject {
  const key = keyIn(material);
  // The two halves of a JWK are written apart, and Node does not ask whether they are of one pair.
  if (!(material instanceof KeyObject) && typeof material !== 'string' && !isPair(key)) {
    throw keyError('the public half of the JWK is not that of its private half');
  }
  return key;
}

function keyIn(material: AgentCardKeyMaterial): KeyObject {
  try {
    return privateKeyOf(material);
  } catch {
    // Node's words may repeat parts of what was given.
    throw keyError('it must be a private key, as a JWK, as PEM without a passphrase, or as a KeyObject');
  }
}

function isPair(key: KeyObject): boolean {
  const digest = key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448' ? null : 'sha256';
  const probe = Buffer.from('probe');
  try {
    return verify(digest, probe, createPublicKey(key), sign(digest, probe, key));
  } catch {
    // It cannot sign at all: that is said later, with what kind of key it is.
    return true;
  }
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (details?.modulusLength !== undefined) return `${type} with ${details.modulusLength} bits`;
  return details?.namedCurve === undefined ? String(type) : `${type} on ${details.namedCurve}`;
}

function keyError(problem: string): AgentCardSigningError {
  return new AgentCardSigningError('AGENT_CARD_SIGNING_KEY', `The key cannot sign agent cards: ${problem}`);
}
