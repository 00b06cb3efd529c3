import type { JsonValue } from 'nestjs-a2a/protocol';
import type { JsonObject } from './business-values.js';
import type { ReceivedMessage } from './received-message.js';
import type { TaskStatus } from './task-status.js';

/**
 * How a subtask ended, as later steps see it.
 *
 * @publicApi
 */
export interface TaskExecutionResult {
  readonly agentName: string;
  readonly skill: string;
  /** The engine's own id, not the agent's. */
  readonly taskId: string;
  readonly taskDescription: string;
  readonly status: TaskStatus;
  /** Of a failed subtask as well, as far as it got. */
  readonly outputs: readonly JsonValue[];
  readonly receivedMessages: readonly ReceivedMessage[];
  readonly error: string | null;
  readonly errorCode: string | null;
  readonly errorDetails: JsonObject;
}
