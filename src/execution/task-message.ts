import type { Message } from 'nestjs-a2a/protocol';
import { withFields } from '../with-fields.js';
import type { SessionIdentity } from './session-identity.js';

/** A caller's message as the task keeps it: it names its task and its context. */
export function belonging(message: Message, { key, contextId }: SessionIdentity): Message {
  return withFields(message, { contextId, taskId: key.id });
}
