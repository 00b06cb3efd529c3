import { randomUUID } from 'node:crypto';
import { Role, type Message, type TaskState } from 'nestjs-a2a/protocol';
import type { SessionIdentity } from './session-identity.js';
import type { StatusInput } from './task-change.js';

/** A status that the library sets itself, with a message that says why. */
export function libraryStatus({ key, contextId }: SessionIdentity, state: TaskState, text: string): StatusInput {
  const parts = [{ text }];
  const message: Message = { messageId: randomUUID(), contextId, taskId: key.id, role: Role.AGENT, parts };
  return { state, message, bytes: text.length };
}
