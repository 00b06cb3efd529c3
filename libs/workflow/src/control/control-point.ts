import type { Awaitable } from '../awaitable.js';
import type { MessageContent } from '../model/message-content.js';
import type { NegotiationReply, NegotiationRequest } from '../model/negotiation.js';
import type { RouteDecision, RouteRequest } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import type { TaskResult } from '../model/task-result.js';

/**
 * What the host decides in a run. The engine never answers in its place: what is not implemented fails.
 *
 * The methods run at the same time for different subtasks: keep no "current task" in a field. Each request has a `signal`
 * that says when the answer is no longer waited for.
 *
 * @publicApi
 */
export abstract class ControlPoint {
  /** @returns the final content for the agent; it is sent unchanged */
  abstract onTask(request: TaskRequest): Awaitable<MessageContent>;

  /** Does a subtask of a step of the type `SELF_LOOP`. */
  abstract onSelfTask(request: TaskRequest): Awaitable<TaskResult>;

  /** Decides about one conditional edge. Edges without a condition are taken unasked. */
  abstract onRoute(request: RouteRequest): Awaitable<RouteDecision>;

  /** Answers a proposal of an agent. */
  abstract onNegotiation(request: NegotiationRequest): Awaitable<NegotiationReply>;
}
