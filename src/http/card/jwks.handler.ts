import type { CacheableDocument } from '../../agent/card/card-request.js';
import type { RequestSink } from '../controller.factory.js';
import { sendDocument } from './document-answer.js';

/** Serves the public keys that the agent's cards are signed with. */
export class JwksHandler implements RequestSink {
  constructor(private readonly document: CacheableDocument) {}

  async handle(request: object, response: object): Promise<void> {
    sendDocument(request, response, this.document);
  }
}
