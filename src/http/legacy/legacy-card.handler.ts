import type { AgentCardDocument } from '../../agent/card/agent-card.document.js';
import { interfaceBaseUrl } from '../../agent/card/interface-url.js';
import { legacyAgentCard } from '../../agent/card/legacy-agent-card.js';
import type { AgentCardService } from '../card/agent-card.service.js';
import { sendDocument } from '../card/document-answer.js';
import { forwardedAddress } from '../card/trusted-proxy.js';
import type { RequestSink } from '../controller.factory.js';
import type { HttpMount } from '../http-mount.js';
import { LegacyCardDocument } from './legacy-card.document.js';
import { LEGACY_PATHS } from './legacy-paths.js';

/** What the older card is made from. */
export interface LegacyCardServices {
  readonly cards: AgentCardService;
  readonly mount: HttpMount;
  readonly schemes: readonly { readonly name: string; readonly obtainAt?: string | undefined }[];
}

/** Serves the agent's card as peers from before A2A 1.0 read it. */
export class LegacyCardHandler implements RequestSink {
  private readonly documents = new WeakMap<AgentCardDocument, LegacyCardDocument>();

  constructor(private readonly services: LegacyCardServices) {}

  async handle(request: object, response: object): Promise<void> {
    const { cards, mount } = this.services;
    const baseUrl = interfaceBaseUrl({ ...mount.addressInput(), forwarded: forwardedAddress(request) });
    const current = await cards.currentDocument(baseUrl);
    const document = this.documents.get(current) ?? this.documentOf(current, baseUrl);
    this.documents.set(current, document);
    sendDocument(request, response, document);
  }

  private documentOf(current: AgentCardDocument, baseUrl: string): LegacyCardDocument {
    const { cards, mount, schemes } = this.services;
    const card = legacyAgentCard(current.card, {
      url: mount.legacyUrl(baseUrl),
      paths: LEGACY_PATHS,
      inputSchemas: cards.skillInputSchemas,
      obtainAt: new Map(schemes.flatMap(({ name, obtainAt }) => (obtainAt ? [[name, obtainAt]] : []))),
    });
    return new LegacyCardDocument(card, current);
  }
}
