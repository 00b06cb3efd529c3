import type { A2AMethod } from 'nestjs-a2a/protocol';
import type { ServerCallContext } from '../agent/server-call-context.js';

type Verdict = boolean | Promise<boolean>;

/**
 * Decides who may do what with which task, instead of the rule that a task belongs to who made it. Optional: without
 * one that rule holds. The class is its own injection token; `A2AModule.forRoot()` finds the one among the app's
 * providers.
 *
 * `false` answers the caller that there is no such task; an `A2AError` thrown answers with that error.
 *
 * @publicApi
 */
export abstract class TaskAuthorizationProvider {
  /** May the caller make a new task? Asked before SendMessage and SendStreamingMessage without a taskId. */
  abstract checkCreate(call: ServerCallContext, operation: A2AMethod): Verdict;
  /** May the caller see this task? Asked for GetTask, SubscribeToTask, and for each task of a list. */
  abstract checkRead(call: ServerCallContext, taskId: string, operation: A2AMethod): Verdict;
  /** May the caller change this task? Asked for CancelTask and for messages to it. */
  abstract checkWrite(call: ServerCallContext, taskId: string, operation: A2AMethod): Verdict;
  /** Is the owner of this task recorded already? */
  abstract isTaskRecorded(taskId: string): Verdict;
  /** Records whose task this is. Called once the id of a new task is known, before its run starts. */
  abstract recordOwnership(call: ServerCallContext, taskId: string, operation: A2AMethod): void | Promise<void>;
}
