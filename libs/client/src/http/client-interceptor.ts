import type { ClientHttpAnswer, ClientHttpRequest } from './client-http.js';

/**
 * Sees every request to an agent or for its card, and the head of every answer: for headers of a gateway, for logs, for
 * traces. It works before credentials are added, and so never sees them.
 *
 * @publicApi
 */
export interface ClientInterceptor {
  /** Before a request leaves. What is returned is sent instead; nothing returned: as it was, or as it was made. */
  request?(request: ClientHttpRequest): ClientHttpRequest | void | Promise<ClientHttpRequest | void>;
  /** When the head of an answer is there. */
  answer?(answer: Pick<ClientHttpAnswer, 'status' | 'headers'>, request: ClientHttpRequest): void | Promise<void>;
}
