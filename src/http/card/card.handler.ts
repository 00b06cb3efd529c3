import { interfaceBaseUrl } from '../../agent/card/interface-url.js';
import type { RequestSink } from '../controller.factory.js';
import type { HttpMount } from '../http-mount.js';
import type { AgentCardService } from './agent-card.service.js';
import { sendDocument } from './document-answer.js';
import { forwardedAddress } from './trusted-proxy.js';

/** Serves the agent's card. */
export class CardHandler implements RequestSink {
  constructor(
    private readonly cards: AgentCardService,
    private readonly mount: HttpMount,
  ) {}

  async handle(request: object, response: object): Promise<void> {
    const baseUrl = interfaceBaseUrl({ ...this.mount.addressInput(), forwarded: forwardedAddress(request) });
    sendDocument(request, response, await this.cards.currentDocument(baseUrl));
  }
}
