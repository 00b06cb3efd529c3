import { answerCardRequest, type CacheableDocument } from '../../agent/card/card-request.js';
import type { RequestSink } from '../controller.factory.js';
import { sendAnswer } from '../host/http-reply.js';
import { rawRequestOf } from '../host/raw-http.js';

/** Serves the public keys that the agent's cards are signed with. */
export class JwksHandler implements RequestSink {
  constructor(private readonly document: CacheableDocument) {}

  async handle(request: object, response: object): Promise<void> {
    const headers = rawRequestOf(request)?.headers ?? {};
    const ifNoneMatch = headers['if-none-match'];
    const ifModifiedSince = headers['if-modified-since'];
    sendAnswer(response, answerCardRequest(this.document, { ifNoneMatch, ifModifiedSince }));
  }
}
