import { classNameOf } from '../../errors/causes.js';
import { OutcomeUnknownError } from '../../errors/outcome-unknown.error.js';
import type { A2ATransport } from '../transport/a2a-transport.js';
import { isTransient } from './transient-failure.js';

// A context is made for one send: more than a few tasks in it are no longer its doing.
const PAGE_SIZE = 50;

/** A message of which nobody knows whether it has arrived. */
export interface SentMessage {
  readonly transport: A2ATransport;
  readonly agentName: string;
  readonly contextId: string;
  readonly messageId: string;
  readonly signal: AbortSignal;
  /** Whether it may be taken for lost when the agent lists no task of it, or lists none at all. */
  readonly mayBeLost: boolean;
}

/**
 * Looks for the task that a message began.
 *
 * @returns `undefined` when there is none, and the message may be taken for lost
 * @throws OutcomeUnknownError when that remains unknown
 */
export async function findSentTask(sent: SentMessage): Promise<string | undefined> {
  const { transport, agentName, contextId, messageId, signal, mayBeLost } = sent;
  let cause: unknown;
  try {
    const { tasks } = await transport.listTasks(agentName, { contextId, pageSize: PAGE_SIZE }, { signal });
    const own = tasks.filter((task) => task.contextId === contextId);
    const began = own.find(({ history = [] }) => history.some((message) => message.messageId === messageId));
    const found = began ?? own[0];
    if (found !== undefined) return found.id;
  } catch (error) {
    signal.throwIfAborted();
    transport.config.log.warn(`${agentName} does not list its tasks: ${classNameOf(error)}`);
    // Who asks again later may get an answer.
    if (isTransient(error)) throw new OutcomeUnknownError(agentName, { cause: error });
    cause = error;
  }
  if (mayBeLost) return undefined;
  throw new OutcomeUnknownError(agentName, cause === undefined ? undefined : { cause });
}
