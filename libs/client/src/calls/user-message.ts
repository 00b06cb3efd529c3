import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

/** Ids and data that a message brings along. */
export type UserMessageOptions = Partial<Omit<Message, 'role' | 'parts'>>;

/**
 * A message of a user to an agent.
 *
 * @param content text, or parts
 * @throws A2AClientError `INVALID_ARGUMENT` when it is neither
 * @publicApi
 */
export function userMessage(content: string | readonly Part[], options: UserMessageOptions = {}): Message {
  return { messageId: randomUUID(), ...options, role: Role.USER, parts: partsOf(content) };
}

function partsOf(content: string | readonly Part[]): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  if (Array.isArray(content)) return [...content];
  throw new A2AClientError('INVALID_ARGUMENT', "What is said is a text or parts, such as [{ text: 'Soup?' }]");
}
