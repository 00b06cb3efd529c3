import type { JsonValue } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from './blank.js';
import { BusinessValues, type JsonObject } from './business-values.js';
import type { ReceivedMessage } from './received-message.js';

/**
 * How a subtask ended. Outputs and failure are apart: a failure may keep what was done until then.
 *
 * @publicApi
 */
export interface TaskResult {
  readonly success: boolean;
  readonly outputs: readonly JsonValue[];
  /** What the agent said, where one was asked. */
  readonly receivedMessages: readonly ReceivedMessage[];
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly errorDetails: JsonObject;
}

/**
 * Members of a {@link TaskResult}; what is left out is empty.
 *
 * @publicApi
 */
export interface TaskResultInit {
  success: boolean;
  outputs?: Iterable<unknown>;
  receivedMessages?: readonly ReceivedMessage[];
  error?: string | null;
  errorCode?: string | null;
  errorDetails?: object | null;
}

export const TaskResult = {
  /**
   * @param outputs may be empty; a list in it stays one value
   * @throws WorkflowArgumentError when they are no list, or cannot be written as JSON
   */
  success(outputs: Iterable<unknown> = []): TaskResult {
    return TaskResult.of({ success: true, outputs });
  },

  /** @throws WorkflowArgumentError when the code is blank */
  failure(code: string, message: string): TaskResult {
    return TaskResult.of({ success: false, errorCode: code, error: message });
  },

  /**
   * Any result, for example a failure that keeps valid outputs.
   *
   * @throws WorkflowArgumentError when a failure has no code, or something cannot be written as JSON
   */
  of(init: TaskResultInit): TaskResult {
    const { success, outputs, receivedMessages = [], error = null, errorCode = null, errorDetails } = init;
    if (success !== true && isBlank(errorCode)) throw new WorkflowArgumentError('A failure needs an error code');
    return Object.freeze({
      success: success === true,
      outputs: BusinessValues.list(outputs),
      receivedMessages: Object.freeze([...receivedMessages]),
      error,
      errorCode,
      errorDetails: BusinessValues.map(errorDetails),
    });
  },
};
