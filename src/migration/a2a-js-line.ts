import type { StreamResponse } from 'nestjs-a2a/protocol';
import type { RequestContext } from '../agent/request-context.js';
import type { A2AJsRequestContext, A2AJsSdkLine } from './a2a-js-executor.types.js';

/** The task that events are of, whatever ids they name: a run has one, and its ids are made by the server. */
export interface RunIds {
  readonly taskId: string;
  readonly contextId: string;
}

/** What differs between the lines of the SDK. */
export interface A2AJsLine {
  readonly name: A2AJsSdkLine;
  /** Whether an executor that has returned may still be at work, until it calls `finished()`. */
  readonly returnsEarly: boolean;
  contextOf(context: RequestContext): A2AJsRequestContext;
  /** @throws A2AJsEventError */
  eventOf(event: unknown, ids: RunIds): StreamResponse;
}
