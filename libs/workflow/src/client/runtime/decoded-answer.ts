import { A2AClientError } from 'nestjs-a2a/client';
import { type Decoder, isRecord, TaskState } from 'nestjs-a2a/protocol';
import type { WireObject } from '../../model/parse-step.js';

/**
 * What an agent answered, checked. A task in no known state is still a task: whoever cannot go on with it must be able to
 * cancel it.
 *
 * @throws A2AClientError `INVALID_ANSWER` with the first field that is at fault
 */
export function decodedAnswer<T>(decode: Decoder<T>, value: unknown): T {
  if (!statusesIn(value).some(isUnspecified)) return decoded(decode, value);
  // To the decoders, no state at all is a fault.
  const copy: unknown = structuredClone(value);
  const marked = statusesIn(copy).map(isUnspecified);
  putState(statusesIn(copy), marked, TaskState.WORKING);
  const answer = decoded(decode, copy);
  putState(statusesIn(answer), marked, TaskState.UNSPECIFIED);
  return answer;
}

function decoded<T>(decode: Decoder<T>, value: unknown): T {
  const result = decode(value);
  if (result.ok) return result.value;
  const [fault] = result.violations;
  const what = fault === undefined ? 'it is unreadable' : `${fault.field || 'the result'} ${fault.description}`;
  throw new A2AClientError('INVALID_ANSWER', `The agent's answer breaks the protocol: ${what}`);
}

/** Of a task by itself, and of what is in an answer. */
function statusesIn(value: unknown): WireObject[] {
  if (!isRecord(value)) return [];
  const holders = [value, value['task'], value['statusUpdate']];
  return holders.flatMap((holder) => (isRecord(holder) && isRecord(holder['status']) ? [holder['status']] : []));
}

function isUnspecified({ state }: WireObject): boolean {
  return state === TaskState.UNSPECIFIED;
}

function putState(statuses: readonly WireObject[], marked: readonly boolean[], state: TaskState): void {
  for (const [at, status] of statuses.entries()) if (marked[at] === true) Reflect.set(status, 'state', state);
}
