import { A2AClientError, A2AHttpError } from 'nestjs-a2a/client';
import { causesOf } from '../../errors/causes.js';
import { RemoteA2AError } from '../../errors/remote-a2a.error.js';

const LOST = new Set(['CONNECT_FAILED', 'DNS_FAILED', 'TIMEOUT', 'STALLED', 'STREAM_BROKEN']);
const GATEWAY_STATUSES = new Set([502, 503, 504]);

/** Did something on the way fail, and not the agent? A question may be asked again then. */
export function isTransient(error: unknown): boolean {
  const chain = causesOf(error);
  if (chain.some((entry) => entry instanceof RemoteA2AError)) return false;
  return chain.some((entry) =>
    entry instanceof A2AHttpError
      ? GATEWAY_STATUSES.has(entry.status)
      : entry instanceof A2AClientError && LOST.has(entry.code),
  );
}
