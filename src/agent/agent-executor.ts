import type { Observable } from 'rxjs';
import type { AgentEmitter } from './agent-emitter.js';
import type { AgentOutput } from './agent-output.js';
import type { RequestContext } from './request-context.js';

/**
 * What {@link AgentExecutor.execute} may hand back.
 *
 * - nothing: everything was emitted;
 * - a string: the task is completed with one text artifact;
 * - an async iterable (an async generator) or an Observable: each value is emitted, completion means return.
 */
export type AgentExecution =
  void | string | Promise<void | string> | AsyncIterable<AgentOutput> | Observable<AgentOutput>;

/**
 * The one class a user writes: the agent itself.
 *
 * The class is its own injection token. It may be extended or merely implemented, it may be request-scoped (then it
 * is resolved once a run), and it takes part in DI like any provider.
 *
 * Work that fails once it has begun is reported as a task in state FAILED, never as a protocol error: throw, or call
 * {@link AgentEmitter.fail}. What is thrown is logged and masked; callers see a correlation id.
 *
 * @publicApi
 */
export abstract class AgentExecutor {
  /**
   * Does the work that one message asks for.
   *
   * Returning without an end (and without `detach()` or `requireInput()`) completes the task if anything was emitted
   * and fails it if nothing was.
   *
   * @param context the message, its task and its caller; `context.signal` is aborted on cancel, shutdown and when
   *   `maxRunSeconds` is over
   * @param emitter where status updates, artifacts and answers go
   */
  abstract execute(context: RequestContext, emitter: AgentEmitter): AgentExecution;

  /**
   * Called when a caller cancels a live run, just after `context.signal` was aborted. The task is forced to CANCELED
   * when the run has not ended `cancelGraceSeconds` later.
   *
   * @throws TaskNotCancelableError to refuse: the caller gets that error and the run goes on
   */
  cancel?(context: RequestContext, emitter: AgentEmitter): void | Promise<void>;
}
