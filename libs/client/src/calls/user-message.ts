import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part } from 'nestjs-a2a/protocol';

/** Ids and data that a message brings along. */
export type UserMessageOptions = Partial<Omit<Message, 'role' | 'parts'>>;

/**
 * A message of a user to an agent.
 *
 * @param content text, or parts
 * @publicApi
 */
export function userMessage(content: string | readonly Part[], options: UserMessageOptions = {}): Message {
  return {
    messageId: randomUUID(),
    ...options,
    role: Role.USER,
    parts: typeof content === 'string' ? [{ text: content }] : [...content],
  };
}
