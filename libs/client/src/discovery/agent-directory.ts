import { type AgentCard, decodeAgentCard, isRecord } from 'nestjs-a2a/protocol';
import { type ReadAgentCard, readAgentCard } from '../card/read-agent-card.js';
import { textOf } from '../card/wire-member.js';
import { A2AClientError, A2AHttpError } from '../client-error.js';
import type { CredentialSource } from '../credentials/credential-source.js';
import { CardHttp } from '../http/card-http.js';
import type { ClientHttp } from '../http/client-http.js';
import type { ClientInterceptor } from '../http/client-interceptor.js';
import { DocumentCache, shown } from '../http/document-cache.js';
import { InterceptedHttp } from '../http/intercepted-http.js';
import { type CardLocation, cardLocationOf } from './card-location.js';
import { CardTrustList, type TrustedSigner } from './card-trust.js';
import { chooseInterface, type InterfaceChoice } from './choose-interface.js';
import type { DiscoveredAgent } from './discovered-agent.js';
import { mergeExtendedCard } from './extended-card.js';

/** Options of {@link AgentDirectory}. */
export interface AgentDirectoryOptions extends InterfaceChoice {
  /** Given: every card must be signed by one of these. Default: signatures are not looked at. */
  readonly trust?: readonly TrustedSigner[];
  /** Tried where a card is not open to all. */
  readonly credentials?: CredentialSource;
  /** See the requests for cards. */
  readonly interceptors?: readonly ClientInterceptor[];
  /** For how long a card whose answer says nothing of it is used without asking. Default 300. */
  readonly cardLifetimeSeconds?: number;
  /** Milliseconds. Default: the time of day. */
  readonly now?: () => number;
}

/** How an agent is looked for. */
export interface FindAgentOptions extends InterfaceChoice {
  /** Where the card is, from the URL of the agent on; instead of the usual places. */
  readonly cardPath?: string;
  /** Ask for the card, whatever the cache has. Default false. */
  readonly refresh?: boolean;
  readonly signal?: AbortSignal;
}

/** A card before it is judged. */
interface FoundCard {
  readonly value: unknown;
  /** Read already; verified it is read again, from what was signed. */
  readonly read: ReadAgentCard;
  readonly origin: string;
  readonly base?: string;
  readonly cardUrl?: string;
}

const DEFAULT_LIFETIME_SECONDS = 300;
/** As URLs have it that are not of the web: nothing is equal to it that credentials go to. */
const NO_ORIGIN = 'null';

/** Finds agents: fetches their cards, keeps them as HTTP allows, reads whatever form they are in, and judges them. */
export class AgentDirectory {
  private readonly cards: DocumentCache;
  private readonly trust?: CardTrustList;

  constructor(
    http: ClientHttp,
    private readonly options: AgentDirectoryOptions = {},
  ) {
    const { trust, now, credentials, interceptors, cardLifetimeSeconds = DEFAULT_LIFETIME_SECONDS } = options;
    const defaultLifetimeMs = cardLifetimeSeconds * 1000;
    const cardHttp = credentials ? new CardHttp(http, credentials) : http;
    this.cards = new DocumentCache(new InterceptedHttp(cardHttp, interceptors), { defaultLifetimeMs, now });
    if (trust) this.trust = new CardTrustList(trust, new DocumentCache(http, { defaultLifetimeMs, now }), now);
  }

  /**
   * @param target URL of an agent or of its card, or the card
   * @throws A2AClientError `INVALID_TARGET`, `DISCOVERY_FAILED`, `AGENT_CARD_INVALID`, `AGENT_CARD_NOT_TRUSTED`, and
   *   whatever the HTTP client throws
   */
  async find(target: string | URL | AgentCard, options: FindAgentOptions = {}): Promise<DiscoveredAgent> {
    if (typeof target !== 'string' && !(target instanceof URL)) {
      return this.judge(given(target, choiceOf(this.options, options)), target, options);
    }
    const location = cardLocationOf(target, options.cardPath);
    return this.judge(await this.fetch(location, options), target, options);
  }

  private async fetch(location: CardLocation, options: FindAgentOptions): Promise<FoundCard> {
    const { signal, refresh: force = false } = options;
    const { base, origin } = location;
    const isKnown = (url: string): boolean => !force && this.cards.isFresh(url);
    const urls = [...location.urls.filter(isKnown), ...location.urls.filter((url) => !isKnown(url))];
    const tried: string[] = [];
    let fault: A2AClientError | undefined;
    for (const cardUrl of urls) {
      try {
        const { value } = await this.cards.get(cardUrl, { force, signal });
        return { value, read: readAgentCard(value), origin, base, cardUrl };
      } catch (error) {
        if (!isNoCard(error)) throw error;
        tried.push(`${shown(cardUrl)}: ${error.message}`);
        // A card with a fault says more than that there is none.
        fault = error.code === 'AGENT_CARD_INVALID' ? error : (fault ?? error);
      }
    }
    const code = fault?.code === 'AGENT_CARD_INVALID' ? fault.code : 'DISCOVERY_FAILED';
    throw new A2AClientError(code, `No agent card was found: ${tried.join('; ')}`, { cause: fault });
  }

  private async judge(
    found: FoundCard,
    target: string | URL | AgentCard,
    options: FindAgentOptions,
  ): Promise<DiscoveredAgent> {
    const { origin, base, cardUrl, value } = found;
    // What is signed is the form of 1.0: a card that is written otherwise is verified as it was read.
    const signed = decodeAgentCard(value).ok ? value : found.read.card;
    const trusted = await this.trust?.verify(signed, origin, options.signal);
    const { dialect } = found.read;
    const card = trusted?.card ?? found.read.card;
    const chosen = chooseInterface(card, choiceOf(this.options, options));
    const legacy = dialect === 'ai4j' && base !== undefined ? { url: `${base}/tasks/send` } : undefined;
    const again: FindAgentOptions = { ...options, refresh: true };
    return {
      card,
      dialect,
      origin,
      interface: chosen,
      ...(cardUrl !== undefined && { cardUrl }),
      ...(legacy && { legacy }),
      ...(trusted && { signature: { kid: trusted.kid, alg: trusted.alg } }),
      refresh: (signal) => this.find(target, { ...again, signal }),
      withExtendedCard: async (extended, signal) => {
        const merged = this.trust ? extended : mergeExtendedCard(card, extended);
        // Laid over the public one, it is in the form of 1.0, however the agent writes.
        const read = this.trust ? readAgentCard(merged) : { ...readAgentCard(merged), dialect };
        return this.judge({ ...found, value: merged, read }, target, { ...options, signal });
      },
    };
  }
}

/** What a call says goes before what the directory was made with. */
function choiceOf(general: InterfaceChoice, own: InterfaceChoice): InterfaceChoice {
  return {
    spoken: own.spoken ?? general.spoken,
    preferredProtocol: own.preferredProtocol ?? general.preferredProtocol,
    protocols: own.protocols ?? general.protocols,
  };
}

/** A card that the user has, and so vouches for: the address that will be used is what the user named. */
function given(value: unknown, choice: InterfaceChoice): FoundCard {
  const read = readAgentCard(value);
  const { supportedInterfaces } = read.card;
  const url = (chooseInterface(read.card, choice) ?? supportedInterfaces[0])?.url ?? legacyUrlOf(value);
  const origin = url !== undefined && URL.canParse(url) ? new URL(url).origin : NO_ORIGIN;
  return {
    value,
    read,
    origin,
    ...(read.dialect === 'ai4j' && url !== undefined && { base: url.replace(/\/+$/, '') }),
  };
}

function legacyUrlOf(card: unknown): string | undefined {
  return isRecord(card) ? textOf(card, 'url') : undefined;
}

/** Was there an answer that is not a card? Then it may be somewhere else. */
function isNoCard(error: unknown): error is A2AClientError {
  if (error instanceof A2AHttpError) return true;
  return error instanceof A2AClientError && (error.code === 'NOT_JSON' || error.code === 'AGENT_CARD_INVALID');
}
