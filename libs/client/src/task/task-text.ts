import {
  isInterrupted,
  isTextPart,
  TaskState,
  type Part,
  type SendMessageResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

const FAILURES: ReadonlySet<TaskState> = new Set([TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED]);
const MAX_SHOWN = 1000;
const STATE_PREFIX = 'TASK_STATE_';

/** A task ended without success. */
export class A2ATaskFailedError extends A2AClientError {
  /** @param task as it ended */
  constructor(readonly task: Task) {
    const state = task.status.state.slice(STATE_PREFIX.length).toLowerCase();
    const text = textOfStatus(task)
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, MAX_SHOWN)
      // Half a character is none.
      .replace(/[\ud800-\udbff]$/, '');
    super('TASK_FAILED', `The task ended as ${state}: ${text === '' ? 'no message' : text}`);
  }
}

/** The texts of parts, joined. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
}

/**
 * What an agent answered, as text: the message, else the artifacts, else what it says about the status. Of a task that
 * waits for the client, what it asks.
 *
 * @throws A2ATaskFailedError when the task ended without success
 */
export function textOfAnswer(answer: SendMessageResponse): string {
  return 'message' in answer ? textOfParts(answer.message.parts) : textOfTask(answer.task);
}

function textOfTask(task: Task): string {
  const { state } = task.status;
  if (FAILURES.has(state)) throw new A2ATaskFailedError(task);
  const results = textOfParts((task.artifacts ?? []).flatMap(({ parts }) => parts));
  const said = textOfStatus(task);
  return isInterrupted(state) ? said || results : results || said;
}

function textOfStatus({ status: { message } }: Task): string {
  return message === undefined ? '' : textOfParts(message.parts);
}
