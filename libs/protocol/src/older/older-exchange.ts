import { InvalidRequestError } from '../errors/request-errors.js';
import { isRecord } from '../is-record.js';
import { Role } from '../types/enums.js';
import type { Message } from '../types/message.js';

/** The older exchange's one operation has two names. */
const METHODS: ReadonlySet<string> = new Set(['tasks/send', 'message/send']);

/** The parameters of a text that is sent to an older peer. */
export interface OlderSendParams {
  /** Whatever the caller chose, or the id of a task that is to go on. */
  readonly id: string;
  readonly message: {
    readonly role: 'user';
    readonly parts: readonly [{ readonly type: 'text'; readonly text: string }];
  };
}

/** A text that an older peer sends, in the form of today. */
export interface OlderSend {
  /** The `id` as it was given; `''` when there was none. */
  readonly id: string;
  readonly message: Message;
}

/** Is this the name of the older exchange's operation? */
export function isOlderMethod(method: string): boolean {
  return METHODS.has(method);
}

/** What to send to an older peer. */
export function olderSendParams(id: string, text: string): OlderSendParams {
  return { id, message: { role: 'user', parts: [{ type: 'text', text }] } };
}

/**
 * Reads what an older peer sends: its texts, the first of which must say something. Other kinds of parts, the role and
 * further members play no part.
 *
 * @param messageId for the message, which has none there
 * @throws InvalidRequestError
 */
export function readOlderSend(params: unknown, messageId: string): OlderSend {
  if (!isRecord(params)) throw new InvalidRequestError('Missing params');
  const { id, message } = params;
  if (!isRecord(message)) throw new InvalidRequestError('Missing message');
  const parts: unknown = message['parts'];
  if (!Array.isArray(parts) || parts.length === 0) throw new InvalidRequestError('Missing message parts');
  const [first] = parts;
  if (textOf(first).trim() === '') throw new InvalidRequestError('Missing text part');
  const texts = parts.map(textOf).filter((text) => text !== '');
  return {
    id: typeof id === 'string' ? id : '',
    message: { messageId, role: Role.USER, parts: texts.map((text) => ({ text })) },
  };
}

function textOf(part: unknown): string {
  return isRecord(part) && typeof part['text'] === 'string' ? part['text'] : '';
}
