import { isRecord } from '../is-record.js';
import { Role, TaskState } from '../types/enums.js';
import type { SendMessageResponse } from '../types/events.js';
import type { Message } from '../types/message.js';
import { isTextPart } from '../types/part.js';
import type { Task } from '../types/task.js';
import { fromOlderPart, toOlderParts, type OlderPart } from './older-parts.js';
import { fromOlderState, toOlderState } from './older-states.js';

/** A task as the older exchange answers it. */
export interface OlderTask {
  id: string;
  status: {
    /** In lower case, with underscores. */
    state: string;
    /** Plain text. */
    message?: string;
  };
  artifacts: { parts: OlderPart[] }[];
}

// What the texts of failures begin with there.
const FAILURE = 'error: ';

/** What a send gave, as the older exchange answers it: always as a task, for that exchange knows nothing else. */
export function toOlderAnswer(response: SendMessageResponse): OlderTask {
  return 'task' in response ? toOlderTask(response.task) : ofMessage(response.message);
}

/** A task as the older exchange answers it. */
export function toOlderTask({ id, status, artifacts = [] }: Task): OlderTask {
  const said = status.message === undefined ? '' : textOf(status.message);
  const message = status.state === TaskState.FAILED && said !== '' ? FAILURE + said : said;
  return {
    id,
    status: { state: toOlderState(status.state), ...(message !== '' && { message }) },
    artifacts: artifacts.map(({ parts }) => ({ parts: toOlderParts(parts) })),
  };
}

/**
 * The task that an older peer has answered, in the form of today; whatever is not as it should be is left to who reads
 * it.
 */
export function fromOlderTask(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result['status'])) return result;
  const { id, status, artifacts } = result;
  const { state, message: said } = status;
  const message =
    typeof said === 'string' && said !== ''
      ? { messageId: `${String(id)}-status`, role: Role.AGENT, parts: [{ text: said }] }
      : undefined;
  const list: unknown[] = Array.isArray(artifacts) ? artifacts : [];
  return {
    id,
    status: {
      state: typeof state === 'string' ? (fromOlderState(state) ?? state) : state,
      ...(message && { message }),
    },
    artifacts: list
      .filter(isRecord)
      .map(({ parts }, index) => ({ artifactId: `artifact-${index + 1}`, parts: partsOf(parts) })),
  };
}

/** There is no task behind it, and an id must be: that of the message is one nobody else has. */
function ofMessage({ messageId, taskId, parts }: Message): OlderTask {
  const state = toOlderState(TaskState.COMPLETED);
  return { id: taskId || messageId, status: { state }, artifacts: [{ parts: toOlderParts(parts) }] };
}

function partsOf(parts: unknown): unknown {
  return Array.isArray(parts) ? parts.map(fromOlderPart) : parts;
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
}
