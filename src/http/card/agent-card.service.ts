import type { LoggerService } from '@nestjs/common';
import type { AgentCard, SecurityRequirement, SecurityScheme } from 'nestjs-a2a/protocol';
import { AgentProfile } from '../../agent/agent-profile.js';
import { assembleAgentCard, type MountedInterface } from '../../agent/card/agent-card.assembler.js';
import { AgentCardDocument } from '../../agent/card/agent-card.document.js';
import { normaliseAgentCard } from '../../agent/card/agent-card.normaliser.js';
import type { AgentCardProvider } from '../../agent/card/agent-card.provider.js';
import type { AgentCardTemplate } from '../../agent/card/agent-card-template.js';
import type { DeclaredScheme } from '../../agent/card/card-security.js';
import type { CardWiring } from '../../agent/card/card-wiring.js';
import type { CardSigner } from '../../agent/card/signing/card-signer.js';
import type { ServerCallContext } from '../../agent/server-call-context.js';

const MAX_DOCUMENTS = 16;

/** What the card is made from, besides what its author wrote. */
export interface AgentCardServices {
  readonly provider: AgentCardProvider;
  readonly logger: LoggerService;
  /** Those that requests are checked by. Default: none. */
  readonly schemes?: readonly DeclaredScheme[];
  /** Whether push notifications are sent. */
  readonly pushNotifications: boolean;
  /** Signs the cards; absent: they are not signed. */
  readonly signer?: CardSigner;
  /** What is mounted, with addresses below this base. */
  interfaces(baseUrl: string): MountedInterface[];
  /** The base of the card's addresses when no request says better. */
  defaultBaseUrl(): string;
}

/** The agent's card: checked at start, served with the addresses of what is mounted. */
export class AgentCardService {
  private readonly since = new Date();
  private readonly documents = new Map<string, AgentCardDocument>();
  private loaded: { readonly template: AgentCardTemplate; readonly profile: AgentProfile } | undefined;

  constructor(private readonly services: AgentCardServices) {}

  /** Reads and checks the card. @throws AgentCardError */
  async load(): Promise<void> {
    const { provider, schemes } = this.services;
    const { card, warnings } = normaliseAgentCard(await provider.getCard(), this.wiring(), schemes);
    for (const warning of warnings) this.services.logger.warn(`Agent card: ${warning}`);
    this.loaded = { template: card, profile: new AgentProfile(card) };
  }

  /**
   * Signs the card, once: its addresses are fixed, and each signature of the same bytes is another one. To be called
   * when routes are registered and nobody is served yet.
   */
  async sign(): Promise<void> {
    const { signer, logger } = this.services;
    if (signer === undefined) return;
    const baseUrl = this.services.defaultBaseUrl();
    const { card } = AgentCardDocument.of(this.ready().template, this.services.interfaces(baseUrl), this.since);
    const warning = signer.warningOf(card);
    if (warning !== undefined) logger.warn(`Agent card: ${warning}`);
    this.documents.set(baseUrl, new AgentCardDocument(await signer.sign(card), this.since));
  }

  get profile(): AgentProfile {
    return this.ready().profile;
  }

  get name(): string {
    return this.ready().template.name;
  }

  /** What callers need; nothing when there is none. */
  get securityRequirements(): readonly SecurityRequirement[] {
    return this.ready().template.securityRequirements ?? [];
  }

  get securitySchemes(): Readonly<Record<string, SecurityScheme>> {
    return this.ready().template.securitySchemes ?? {};
  }

  /** The card with its addresses below a base. */
  document(baseUrl: string): AgentCardDocument {
    const known = this.documents.get(baseUrl);
    if (known) return known;
    const document = AgentCardDocument.of(this.ready().template, this.services.interfaces(baseUrl), this.since);
    // Behind a proxy callers may have a say in the base: keep a few, and no more.
    if (this.documents.size < MAX_DOCUMENTS) this.documents.set(baseUrl, document);
    return document;
  }

  /** The card for one authenticated caller, if there is one. */
  async extendedCard(call: ServerCallContext): Promise<AgentCard | undefined> {
    const { provider } = this.services;
    const baseUrl = this.services.defaultBaseUrl();
    const extended = await provider.getExtendedCard?.(call.user, this.document(baseUrl).card);
    if (extended === undefined) return undefined;
    const { card } = normaliseAgentCard(extended, this.wiring(), this.services.schemes);
    const assembled = assembleAgentCard(card, this.services.interfaces(baseUrl));
    return this.services.signer?.sign(assembled) ?? assembled;
  }

  private wiring(): CardWiring {
    const extendedAgentCard = this.services.provider.getExtendedCard !== undefined;
    return { streaming: true, pushNotifications: this.services.pushNotifications, extendedAgentCard };
  }

  private ready() {
    if (this.loaded === undefined) throw new Error('The agent card is read when the module is initialised');
    return this.loaded;
  }
}
