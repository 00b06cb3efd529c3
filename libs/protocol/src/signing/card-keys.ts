import { createPrivateKey, createPublicKey, createSecretKey, KeyObject, type JsonWebKey } from 'node:crypto';
import { isRecord } from '../is-record.js';

/** Algorithms that agent cards are signed with. */
export type AgentCardAlgorithm = 'ES256' | 'ES384' | 'RS256' | 'PS256' | 'EdDSA';

/** Those, and one for keys that both sides share, which is used for nothing unless it is allowed in so many words. */
export type AgentCardVerificationAlgorithm = AgentCardAlgorithm | 'HS256';

export const AGENT_CARD_ALGORITHMS: readonly AgentCardAlgorithm[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'];

/** A key: JWK, PEM (PKCS#8, PKCS#1, SEC1, SPKI or a certificate), or a key object of Node. */
export type AgentCardKeyMaterial = JsonWebKey | string | KeyObject;

const LEAST_RSA_BITS = 2048;
// As RFC 7518 (3.2) demands; an empty one would let everybody sign.
const LEAST_SHARED_BYTES = 32;

/** @throws Error of Node's, or TypeError, when it is no private key */
export function privateKeyOf(material: AgentCardKeyMaterial): KeyObject {
  if (!(material instanceof KeyObject)) {
    return createPrivateKey(typeof material === 'string' ? material : { key: material, format: 'jwk' });
  }
  if (material.type !== 'private') throw new TypeError(`The key is ${material.type}`);
  return material;
}

/** @throws Error of Node's when it is no key that verifies */
export function verificationKeyOf(material: AgentCardKeyMaterial | Uint8Array): KeyObject {
  if (material instanceof KeyObject) return material.type === 'private' ? createPublicKey(material) : material;
  if (typeof material === 'string') return createPublicKey(material);
  if (material instanceof Uint8Array) return createSecretKey(material);
  if (material.kty === 'oct') return createSecretKey(Buffer.from(material.k ?? '', 'base64url'));
  return createPublicKey({ key: material, format: 'jwk' });
}

/** The algorithm that a key is for when nobody says; undefined when there is none. */
export function defaultAlgorithmOf(key: KeyObject): AgentCardAlgorithm | undefined {
  return AGENT_CARD_ALGORITHMS.find((algorithm) => fitsAlgorithm(key, algorithm));
}

/** Whether a key may be used with an algorithm at all. */
export function fitsAlgorithm(key: KeyObject, algorithm: string): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  switch (algorithm) {
    case 'ES256':
      return type === 'ec' && details?.namedCurve === 'prime256v1';
    case 'ES384':
      return type === 'ec' && details?.namedCurve === 'secp384r1';
    case 'RS256':
      return type === 'rsa' && isLong(key);
    case 'PS256':
      return (type === 'rsa' || type === 'rsa-pss') && isLong(key);
    case 'EdDSA':
      return type === 'ed25519';
    case 'HS256':
      return key.type === 'secret' && (key.symmetricKeySize ?? 0) >= LEAST_SHARED_BYTES;
    default:
      return false;
  }
}

export function isAgentCardAlgorithm(text: unknown): text is AgentCardAlgorithm {
  return AGENT_CARD_ALGORITHMS.some((algorithm) => algorithm === text);
}

/** A member of a JWK that is text, of any material. */
export function textIn(material: unknown, member: 'kid' | 'alg' | 'use'): string | undefined {
  if (!isRecord(material)) return undefined;
  const text = material[member];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function isLong({ asymmetricKeyDetails }: KeyObject): boolean {
  return (asymmetricKeyDetails?.modulusLength ?? 0) >= LEAST_RSA_BITS;
}
