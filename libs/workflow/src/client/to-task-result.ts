import { TaskState } from 'nestjs-a2a/protocol';
import type { SendMessageResult } from '../model/send-message-result.js';
import { TaskResult } from '../model/task-result.js';

/**
 * What an answer of an agent means for the subtask it was asked for.
 *
 * @publicApi
 */
export function toTaskResult(result: SendMessageResult | null | undefined): TaskResult {
  if (result === null || result === undefined) {
    return TaskResult.failure('remote.no_response', 'Agent returned no response');
  }
  const { outputs, receivedMessages, task, taskState, failureCode, failureMessage } = result;
  if (failureCode !== null) return failed(result, failureCode, failureMessage ?? failureCode);
  // Nobody sends UNSPECIFIED; a runtime may use it where a state is not known.
  const isStateless = taskState === '' || taskState === TaskState.UNSPECIFIED;
  const isMessage = task === null && isStateless && receivedMessages.length > 0;
  if (taskState !== TaskState.COMPLETED && !isMessage) {
    return failed(result, 'remote.task_failed', `Agent returned state=${taskState}`);
  }
  return TaskResult.of({ success: true, outputs, receivedMessages });
}

function failed({ outputs, receivedMessages }: SendMessageResult, errorCode: string, error: string): TaskResult {
  return TaskResult.of({ success: false, outputs, receivedMessages, errorCode, error });
}
