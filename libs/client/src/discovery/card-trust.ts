import {
  type AgentCardKeyLookup,
  type AgentCardVerificationAlgorithm,
  AgentCardVerificationError,
  isRecord,
  type JsonWebKeySet,
  parseJson,
  type VerifiedAgentCard,
  verifyAgentCard,
} from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import type { DocumentCache } from '../http/document-cache.js';
import { isOrigin } from '../origins.js';

/**
 * Somebody whose signatures on agent cards count.
 *
 * @see A2A 1.0, section 8.4.3
 * @publicApi
 */
export interface TrustedSigner {
  /** The keys, as a JWKS or by a function. */
  keys?: JsonWebKeySet | AgentCardKeyLookup;
  /** Key sets that may be fetched, each when a signature names exactly this URL as its `jku`. */
  keySetUrls?: readonly string[];
  /** Default ES256, ES384, RS256, PS256 and EdDSA. HS256 counts only when it is listed; `none` never does. */
  algorithms?: readonly AgentCardVerificationAlgorithm[];
  /** The origins whose cards may be signed so, e.g. `https://partner.example.com`. Default: all. */
  origins?: readonly string[];
}

/** A card that was signed by somebody trusted. */
export type TrustedCard = Pick<VerifiedAgentCard, 'card' | 'kid' | 'alg'>;

const MOST_SIGNATURES = 16;
/** A key that is not in a set is asked for again, but not by every forged signature. */
const REFETCH_AFTER_MS = 60_000;

/** Verifies cards by a list of trusted signers. */
export class CardTrustList {
  constructor(
    private readonly signers: readonly TrustedSigner[],
    private readonly documents: DocumentCache,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * @param card as it was fetched
   * @param origin of whoever served it
   * @throws A2AClientError `AGENT_CARD_NOT_TRUSTED`
   */
  async verify(card: unknown, origin: string, signal?: AbortSignal): Promise<TrustedCard> {
    const signers = this.signers.filter(({ origins }) => origins?.some((entry) => isOrigin(entry, origin)) ?? true);
    if (signers.length === 0) throw notTrusted(`no signer is trusted for ${origin}`);
    let fault: unknown;
    for (const signer of signers) {
      try {
        return await this.verifyBy(signer, card, signal);
      } catch (error) {
        signal?.throwIfAborted();
        fault ??= error;
      }
    }
    throw notTrusted(fault instanceof AgentCardVerificationError ? fault.message : 'its keys cannot be fetched', fault);
  }

  private async verifyBy(signer: TrustedSigner, card: unknown, signal?: AbortSignal): Promise<VerifiedAgentCard> {
    const { keys = { keys: [] }, algorithms } = signer;
    const urls = jkusOf(card).filter((url) => signer.keySetUrls?.includes(url));
    try {
      return await verifyAgentCard(card, { keys, algorithms });
    } catch (error) {
      if (urls.length === 0) throw error;
    }
    try {
      return await verifyAgentCard(card, { keys: await this.keySets(urls, false, signal), algorithms });
    } catch (error) {
      if (!(error instanceof AgentCardVerificationError)) throw error;
    }
    return verifyAgentCard(card, { keys: await this.keySets(urls, true, signal), algorithms });
  }

  private async keySets(urls: readonly string[], again: boolean, signal?: AbortSignal): Promise<JsonWebKeySet> {
    const sets = await Promise.all(urls.map((url) => this.keySet(url, again, signal)));
    return { keys: sets.flatMap(({ keys }) => keys) };
  }

  private async keySet(url: string, again: boolean, signal?: AbortSignal): Promise<JsonWebKeySet> {
    const document = await this.documents.get(url, { signal });
    const isOld = this.now() - document.checkedAt > REFETCH_AFTER_MS;
    const { value } = again && isOld ? await this.documents.get(url, { force: true, signal }) : document;
    const keys = isRecord(value) && Array.isArray(value['keys']) ? value['keys'].filter(isRecord) : [];
    // A key that everybody can fetch is no shared secret.
    return { keys: keys.filter(({ kty }) => kty !== 'oct') };
  }
}

/** Where the signatures of a card say their keys are. */
function jkusOf(card: unknown): string[] {
  const signatures: unknown = isRecord(card) ? card['signatures'] : undefined;
  if (!Array.isArray(signatures)) return [];
  const found = signatures.slice(0, MOST_SIGNATURES).flatMap((signature: unknown) => {
    const header = isRecord(signature) ? headerOf(signature['protected']) : undefined;
    const jku = header?.['jku'];
    return typeof jku === 'string' ? [jku] : [];
  });
  return [...new Set(found)];
}

function headerOf(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const header = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
    return isRecord(header) ? header : undefined;
  } catch {
    return undefined;
  }
}

function notTrusted(reason: string, cause?: unknown): A2AClientError {
  return new A2AClientError('AGENT_CARD_NOT_TRUSTED', `The agent card is not trusted: ${reason}`, { cause });
}
