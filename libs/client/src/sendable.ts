import { isRecord } from 'nestjs-a2a/protocol';
import { A2AClientError } from './client-error.js';

/**
 * Whether this is a message to send, for those without a compiler to tell them.
 *
 * @throws A2AClientError `INVALID_ARGUMENT`
 */
export function checkSendable(request: unknown): void {
  if (isRecord(request) && isRecord(request['message'])) return;
  const text = typeof request === 'string' ? 'the text' : 'what you have to say';
  throw new A2AClientError(
    'INVALID_ARGUMENT',
    `A request to send has a message in it: { message: userMessage(${text}) }. For texts alone there is sendTask(text)`,
  );
}
