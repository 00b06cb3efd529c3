import type { HttpAnswer } from './a2a-route.js';
import { isReply, rawResponseOf } from './raw-http.js';

/**
 * Sends one whole answer over an Express response or a Fastify reply. Does nothing when headers have already left. On
 * HEAD the length of the body is sent, not the body.
 */
export function sendAnswer(response: object, answer: HttpAnswer): void {
  if (headersSent(response)) return;
  if (isReply(response)) {
    response.code(answer.status);
    response.headers(answer.headers);
    // Without a serializer of its own, Fastify adds a charset to JSON media types.
    response.serializer(asIs);
    response.send(answer.body === '' ? undefined : answer.body);
    return;
  }
  const raw = rawResponseOf(response);
  raw.statusCode = answer.status;
  for (const name in answer.headers) raw.setHeader(name, answer.headers[name]);
  if (answer.status !== 204 && answer.status !== 304) raw.setHeader('content-length', Buffer.byteLength(answer.body));
  if (raw.req?.method === 'HEAD') raw.end();
  else raw.end(answer.body);
}

/** Whether the status line and headers have already left, so that no other answer can be given. */
export function headersSent(response: object): boolean {
  if ('sent' in response && response.sent === true) return true;
  return rawResponseOf(response).headersSent;
}

/** Leaves our text as it is, and serialises what a host's hook may answer with instead. */
function asIs(payload: unknown): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

/** Whether somebody has set a header of the answer already. */
export function hasHeader(response: object, name: string): boolean {
  return isReply(response) ? response.getHeaders()[name] !== undefined : rawResponseOf(response).hasHeader(name);
}
