import { answerCardRequest, type CacheableDocument } from '../../agent/card/card-request.js';
import { sendAnswer } from '../host/http-reply.js';
import { rawRequestOf } from '../host/raw-http.js';

/** Answers with a document, or with 304 when the caller has it already. */
export function sendDocument(request: object, response: object, document: CacheableDocument): void {
  const headers = rawRequestOf(request)?.headers ?? {};
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  sendAnswer(response, answerCardRequest(document, { ifNoneMatch, ifModifiedSince }));
}
