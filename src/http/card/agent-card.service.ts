import type { LoggerService } from '@nestjs/common';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { AgentProfile } from '../../agent/agent-profile.js';
import { assembleAgentCard, type MountedInterface } from '../../agent/card/agent-card.assembler.js';
import { AgentCardDocument } from '../../agent/card/agent-card.document.js';
import { normaliseAgentCard } from '../../agent/card/agent-card.normaliser.js';
import type { AgentCardProvider } from '../../agent/card/agent-card.provider.js';
import type { AgentCardTemplate } from '../../agent/card/agent-card-template.js';
import type { CardWiring } from '../../agent/card/card-wiring.js';
import type { ServerCallContext } from '../../agent/server-call-context.js';

const MAX_DOCUMENTS = 16;

/** What the card is made from, besides what its author wrote. */
export interface AgentCardServices {
  readonly provider: AgentCardProvider;
  readonly logger: LoggerService;
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
    const { card, warnings } = normaliseAgentCard(await this.services.provider.getCard(), this.wiring());
    for (const warning of warnings) this.services.logger.warn(`Agent card: ${warning}`);
    this.loaded = { template: card, profile: new AgentProfile(card) };
  }

  get profile(): AgentProfile {
    return this.ready().profile;
  }

  get name(): string {
    return this.ready().template.name;
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
    const { card } = normaliseAgentCard(extended, this.wiring());
    return assembleAgentCard(card, this.services.interfaces(baseUrl));
  }

  private wiring(): CardWiring {
    const extendedAgentCard = this.services.provider.getExtendedCard !== undefined;
    return { streaming: true, pushNotifications: false, extendedAgentCard };
  }

  private ready() {
    if (this.loaded === undefined) throw new Error('The agent card is read when the module is initialised');
    return this.loaded;
  }
}
