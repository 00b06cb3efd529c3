import type { Awaitable } from '../awaitable.js';
import type { MessageContent } from '../model/message-content.js';
import type { NegotiationReply, NegotiationRequest } from '../model/negotiation.js';
import type { RouteDecision, RouteRequest } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import type { TaskResult } from '../model/task-result.js';
import type { ControlPoint } from './control-point.js';
import { DefaultControlPoint } from './default-control-point.js';

/**
 * The methods of a {@link ControlPoint}, each by itself.
 *
 * @publicApi
 */
export type ControlPointHandlers = Partial<Pick<ControlPoint, 'onTask' | 'onSelfTask' | 'onRoute' | 'onNegotiation'>>;

/**
 * Makes a control point of functions.
 *
 * @publicApi
 * @param handlers what is left out fails when it is asked for
 */
export function controlPoint(handlers: ControlPointHandlers): ControlPoint {
  return new HandlerControlPoint(handlers);
}

class HandlerControlPoint extends DefaultControlPoint {
  constructor(private readonly handlers: ControlPointHandlers) {
    super();
  }

  override onTask(request: TaskRequest): Awaitable<MessageContent> {
    return this.handlers.onTask === undefined ? super.onTask(request) : this.handlers.onTask(request);
  }

  override onSelfTask(request: TaskRequest): Awaitable<TaskResult> {
    return this.handlers.onSelfTask === undefined ? super.onSelfTask(request) : this.handlers.onSelfTask(request);
  }

  override onRoute(request: RouteRequest): Awaitable<RouteDecision> {
    return this.handlers.onRoute === undefined ? super.onRoute(request) : this.handlers.onRoute(request);
  }

  override onNegotiation(request: NegotiationRequest): Awaitable<NegotiationReply> {
    return this.handlers.onNegotiation === undefined
      ? super.onNegotiation(request)
      : this.handlers.onNegotiation(request);
  }
}
