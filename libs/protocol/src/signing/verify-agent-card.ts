import { base64url, decodeProtectedHeader, flattenedVerify } from 'jose';
import type { KeyObject } from 'node:crypto';
import { decodeAgentCard } from '../decoders.js';
import { printable } from '../errors/printable.js';
import type { AgentCard, AgentCardSignature } from '../types/agent-card.js';
import { AGENT_CARD_FORMS, type AgentCardForm, canonicalAgentCard } from './canonical-card.js';
import { AGENT_CARD_ALGORITHMS, type AgentCardVerificationAlgorithm } from './card-keys.js';
import { type AgentCardTrust, trustedKeys } from './card-trust.js';
import { type AgentCardSignatureFault, AgentCardVerificationError } from './signing.errors.js';

/** Each one costs public-key operations, and whoever wrote the card decides how many there are. */
const MOST_SIGNATURES = 16;

/** A card that was signed by somebody trusted. */
export interface VerifiedAgentCard {
  /** The card, without fields the protocol does not know, since no signature covers those. Use this one. */
  readonly card: AgentCard;
  /** The trusted key. */
  readonly kid: string;
  readonly alg: string;
  /** What of the card the signature covers. */
  readonly form: AgentCardForm;
  /** Where the signature says its key is found. */
  readonly jku?: string;
}

interface ProtectedHeader {
  readonly alg: string;
  readonly kid: string;
  readonly jku: string | undefined;
}

/** Says why one signature does not count. */
class Refused extends Error {}

/**
 * Verifies a card: at least one of its first 16 signatures must have been made over it, in one of the forms in use,
 * with a trusted key and an allowed algorithm. Does no I/O: keys that stand at a `jku` are for the caller to fetch, from
 * addresses that the caller trusts.
 *
 * @param card as it was fetched
 * @param trust whose signatures count
 * @returns the card that was signed, and by whom
 * @throws AgentCardVerificationError
 * @see A2A 1.0, section 8.4.3
 */
export async function verifyAgentCard(card: unknown, trust: AgentCardTrust): Promise<VerifiedAgentCard> {
  const decoded = decodeAgentCard(card);
  if (!decoded.ok) {
    const problem = decoded.violations.map(({ field, description }) => `${field} ${description}`).join('; ');
    throw new AgentCardVerificationError('AGENT_CARD_INVALID', `The agent card is not valid: ${problem}`);
  }
  const { signatures = [] } = decoded.value;
  if (signatures.length === 0) {
    throw new AgentCardVerificationError('AGENT_CARD_NOT_SIGNED', 'The agent card has no signatures');
  }
  const payloads = payloadsOf(decoded.value, trust.forms ?? AGENT_CARD_FORMS);
  const faults: AgentCardSignatureFault[] = [];
  let cause: unknown;
  for (const signature of signatures.slice(0, MOST_SIGNATURES)) {
    let kid: string | undefined;
    try {
      const header = readHeader(signature, trust);
      kid = header.kid;
      const form = await formSigned(signature, header, trust, payloads);
      const { alg, jku } = header;
      return { card: decoded.value, kid, alg, form, ...(jku === undefined ? {} : { jku }) };
    } catch (error) {
      if (!(error instanceof Refused)) cause ??= error;
      faults.push({ kid, reason: error instanceof Refused ? error.message : 'its key could not be looked up' });
    }
  }
  const list = faults.map(({ kid, reason }) => `${kid === undefined ? 'unnamed' : printable(kid)}: ${reason}`);
  throw new AgentCardVerificationError(
    'AGENT_CARD_NOT_VERIFIED',
    `No signature of the agent card is by a trusted key (${list.join('; ')})`,
    faults,
    cause === undefined ? undefined : { cause },
  );
}

/** What each form would have signed, equal ones once. */
function payloadsOf(card: AgentCard, forms: readonly AgentCardForm[]): ReadonlyMap<string, AgentCardForm> {
  const payloads = new Map<string, AgentCardForm>();
  try {
    for (const form of forms) {
      const payload = base64url.encode(canonicalAgentCard(card, form));
      if (!payloads.has(payload)) payloads.set(payload, form);
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'it has no canonical form';
    throw new AgentCardVerificationError('AGENT_CARD_INVALID', `The agent card is not valid: ${problem}`);
  }
  return payloads;
}

/** Only the protected header counts: anybody can write the other one. */
function readHeader(signature: AgentCardSignature, trust: AgentCardTrust): ProtectedHeader {
  const header = parsedHeader(signature);
  if ('crit' in header) throw new Refused('it has critical extensions, none of which is known here');
  const { alg, kid, jku } = header;
  if (typeof kid !== 'string' || kid === '') throw new Refused('it names no key (kid)');
  const allowed: readonly AgentCardVerificationAlgorithm[] = trust.algorithms ?? AGENT_CARD_ALGORITHMS;
  if (typeof alg !== 'string' || !allowed.some((name) => name === alg)) {
    throw new Refused(`its algorithm ${typeof alg === 'string' ? printable(alg, 32) : ''} is not allowed`);
  }
  return { alg, kid, jku: typeof jku === 'string' ? jku : undefined };
}

function parsedHeader(signature: AgentCardSignature): Readonly<Record<string, unknown>> {
  try {
    return decodeProtectedHeader({ protected: signature.protected });
  } catch {
    throw new Refused('its protected header cannot be read');
  }
}

async function formSigned(
  { protected: header, signature }: AgentCardSignature,
  { alg, kid, jku }: ProtectedHeader,
  trust: AgentCardTrust,
  payloads: ReadonlyMap<string, AgentCardForm>,
): Promise<AgentCardForm> {
  const keys = await trustedKeys(trust, { alg, kid, jku });
  if (keys.length === 0) throw new Refused('its key is not trusted');
  for (const key of keys) {
    for (const [payload, form] of payloads) {
      if (await holds({ payload, protected: header, signature }, key, alg)) return form;
    }
  }
  throw new Refused('it was not made over this card');
}

async function holds(
  jws: { payload: string; protected: string; signature: string },
  key: KeyObject,
  alg: string,
): Promise<boolean> {
  try {
    await flattenedVerify(jws, key, { algorithms: [alg] });
    return true;
  } catch {
    return false;
  }
}
