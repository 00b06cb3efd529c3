import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskOperation } from './task-operation.js';

/** A decision, now or later. */
export type AuthorizationVerdict = boolean | Promise<boolean>;

/**
 * Decides who may do what with which task, instead of the rule that a task belongs to who made it. Optional: without
 * one that rule holds. The class is its own injection token; `A2AModule.forRoot()` finds the one among the app's
 * providers.
 *
 * It is asked before the store, so a `taskId` may be of a task that does not exist, and before the agent runs.
 *
 * `true` alone allows. `false`, and whatever else comes, answers the caller that there is no such task. An `A2AError` that is thrown is answered as itself, a Nest
 * `HttpException` by its status; any other error refuses as well: the caller sees an internal error with a correlation
 * id, under which the log has the cause.
 *
 * @publicApi
 */
export abstract class TaskAuthorizationProvider {
  /** May the caller make a new task? Asked before MESSAGE_SEND and MESSAGE_SEND_STREAM without a taskId. */
  abstract checkCreate(call: ServerCallContext, operation: TaskOperation): AuthorizationVerdict;

  /**
   * May the caller see this task? Asked before GET_TASK, SUBSCRIBE_TO_TASK, GET_ and LIST_TASK_PUSH_NOTIFICATION_CONFIG,
   * and, as GET_TASK, for the tasks that a message refers to and the earlier tasks that an agent looks up.
   *
   * For LIST_TASKS it is asked once with `''`, whether the caller may list at all, and then for each task that
   * matches; a task denied by `false`, or by an error that says 401, 403 or 404, is left out.
   */
  abstract checkRead(call: ServerCallContext, taskId: string, operation: TaskOperation): AuthorizationVerdict;

  /**
   * May the caller change this task? Asked before CANCEL_TASK, before CREATE_ and DELETE_TASK_PUSH_NOTIFICATION_CONFIG,
   * and before a message to the task. Who may is shown the task in the answer.
   */
  abstract checkWrite(call: ServerCallContext, taskId: string, operation: TaskOperation): AuthorizationVerdict;

  /**
   * Is the owner of this task recorded already? Then `recordOwnership` is not called.
   *
   * @param call the call that makes the task
   */
  abstract isTaskRecorded(taskId: string, call: ServerCallContext): AuthorizationVerdict;

  /**
   * Records whose task this is. Called, and waited for, once the id of a new task is known, before its run starts and
   * before anything is answered. When it throws, or takes longer than `agentTimeoutSeconds`,
   * the message is refused and no task is made. Recording the same again
   * must do no harm. The agent may still answer without making the task.
   */
  abstract recordOwnership(call: ServerCallContext, taskId: string, operation: TaskOperation): void | Promise<void>;
}
