import type { Awaitable } from '../awaitable.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import type { MessageContent } from '../model/message-content.js';
import type { NegotiationReply, NegotiationRequest } from '../model/negotiation.js';
import type { RouteDecision, RouteRequest } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import type { TaskResult } from '../model/task-result.js';
import { ControlPoint } from './control-point.js';
import type { NegotiationStrategy } from './negotiation-strategy.js';

/**
 * Fails whatever it is asked, and so is the start of a control point that answers some of it. Negotiations go to the
 * strategy, where there is one.
 *
 * @publicApi
 */
export class DefaultControlPoint extends ControlPoint {
  constructor(private readonly negotiationStrategy?: NegotiationStrategy) {
    super();
  }

  onTask({ stepName }: TaskRequest): Awaitable<MessageContent> {
    throw new WorkflowStateError(`onTask handler is required for ${stepName}`);
  }

  onSelfTask({ stepName }: TaskRequest): Awaitable<TaskResult> {
    throw new WorkflowStateError(`onSelfTask handler is required for ${stepName}`);
  }

  onRoute({ stepName }: RouteRequest): Awaitable<RouteDecision> {
    throw new WorkflowStateError(`onRoute handler is required for ${stepName}`);
  }

  onNegotiation(request: NegotiationRequest): Awaitable<NegotiationReply> {
    if (this.negotiationStrategy === undefined) throw new WorkflowStateError('onNegotiation handler is required');
    return this.negotiationStrategy.resolve(request);
  }
}
