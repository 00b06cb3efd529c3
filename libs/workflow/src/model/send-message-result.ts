import type { JsonValue, Task, TaskState } from 'nestjs-a2a/protocol';
import type { JsonObject } from './business-values.js';
import type { ReceivedMessage } from './received-message.js';

/**
 * What came of a message to an agent.
 *
 * @publicApi
 */
export interface SendMessageResult {
  readonly receivedMessages: readonly ReceivedMessage[];
  /** The values in them, if the interaction succeeded; those of artifacts in any case. */
  readonly outputs: readonly JsonValue[];
  /** The agent's task as it was last seen; `null` when it answered with a message. */
  readonly task: Task | null;
  /** Last state seen; empty when there was none. */
  readonly taskState: TaskState | '';
  /** For logs and people: the result is in `receivedMessages`. */
  readonly text: string;
  /** All metadata of the answer in one; for logs and people. */
  readonly metadata: JsonObject;
  /** Set when the interaction failed on this side, whatever state the task is in. */
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
}
