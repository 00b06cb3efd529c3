import { answerCardRequest } from '../../agent/card/card-request.js';
import { interfaceBaseUrl } from '../../agent/card/interface-url.js';
import type { RequestSink } from '../controller.factory.js';
import { sendAnswer } from '../host/http-reply.js';
import { rawRequestOf } from '../host/raw-http.js';
import type { HttpMount } from '../http-mount.js';
import type { AgentCardService } from './agent-card.service.js';
import { forwardedAddress } from './trusted-proxy.js';

/** Serves the agent's card. */
export class CardHandler implements RequestSink {
  constructor(
    private readonly cards: AgentCardService,
    private readonly mount: HttpMount,
  ) {}

  async handle(request: object, response: object): Promise<void> {
    const baseUrl = interfaceBaseUrl({ ...this.mount.addressInput(), forwarded: forwardedAddress(request) });
    const headers = rawRequestOf(request)?.headers ?? {};
    const ifNoneMatch = headers['if-none-match'];
    const ifModifiedSince = headers['if-modified-since'];
    sendAnswer(response, answerCardRequest(this.cards.document(baseUrl), { ifNoneMatch, ifModifiedSince }));
  }
}
