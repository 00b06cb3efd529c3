import type { ListTasksRequest, ListTasksResponse } from 'nestjs-a2a/protocol';
import type { ControlPoint } from '../control/control-point.js';
import type { EventCallback } from '../control/event-callback.js';
import type { AgentEvent } from '../control/event-data.js';
import type { NegotiationStrategy } from '../control/negotiation-strategy.js';
import type { MessageContent } from '../model/message-content.js';
import type { SendMessageResult } from '../model/send-message-result.js';
import type { TaskRequest } from '../model/task-request.js';

/**
 * How one task is sent.
 *
 * @publicApi
 */
export interface SendTaskOptions {
  /** Answers the agent's proposals in this call. Default: the client's control point. */
  negotiationStrategy?: NegotiationStrategy;
  /** Told of this call's events. Default: the client's own callback. */
  events?: EventCallback;
  /** The subtask that this is for; put into negotiation requests. Default: one made of the content. */
  task?: TaskRequest;
  /** Gives the call up: the agent's task is cancelled, if it is known and not at its end. */
  signal?: AbortSignal;
  /** Told what a journal has to keep, at the moment when it must be kept. */
  journal?: SendTaskJournal;
}

/**
 * A send of before a crash.
 *
 * @publicApi
 */
export interface ResumedSend {
  readonly contextId: string;
  readonly messageId: string;
  /** Left out: the agent is asked whether it has a task of the message. */
  readonly taskId?: string;
  /**
   * Send the same message again when the agent has none. Default: false, the send fails with `OutcomeUnknownError`, since
   * the work may have been done.
   */
  readonly resendUnknown?: boolean;
}

/**
 * What is worth keeping of a send, so that it can be found again after a crash.
 *
 * @publicApi
 */
export interface SendTaskJournal {
  /** Awaited before the message leaves. */
  beforeSend(send: { readonly contextId: string; readonly messageId: string }): Promise<void>;
  /** Awaited as soon as the agent's task is known, before anything else is done with it. */
  taskKnown(taskId: string): Promise<void>;
  /** A send of before a crash that is gone on with, instead of sending anew. */
  readonly resume?: ResumedSend;
}

/**
 * Sends tasks to the agents of a workflow and brings them to their end: waits, asks, negotiates, and cancels what it
 * leaves. Works alone as well, outside any workflow.
 *
 * @publicApi
 */
export abstract class WorkflowEngineClient {
  /**
   * Sends the content in a fresh context, and waits until the agent's task has ended. A task that FAILED resolves: look
   * at `taskState`.
   *
   * @param agentName as on the agent's card
   * @throws WorkflowArgumentError before anything is sent: an unknown agent, or content that does not go with its card
   * @throws AgentCallError `Agent call failed: …`
   * @throws BusinessFailure when the host stops a negotiation
   * @throws WorkflowStateError when the agent breaks the rules, or the client is closed
   * @throws CancellationException when the call is given up
   * @throws TimeoutException when the whole interaction took longer than `callbackTimeoutSeconds()`
   */
  abstract sendTask(agentName: string, content: MessageContent, options?: SendTaskOptions): Promise<SendMessageResult>;

  /** The same, the strategy and the callback by position. A strategy of `null` is refused. */
  abstract sendTask(
    agentName: string,
    content: MessageContent,
    negotiationStrategy: NegotiationStrategy | null,
    events?: EventCallback,
    options?: SendTaskOptions,
  ): Promise<SendMessageResult>;

  /**
   * How the task stands.
   *
   * @throws AgentCallError `getTask failed for <agent>: …`; the same for the other questions
   * @throws WorkflowArgumentError when a name is blank, or nobody knows the agent
   */
  abstract getTask(agentName: string, taskId: string): Promise<SendMessageResult>;

  /** One page of the tasks that the credentials of this client may see. */
  abstract listTasks(agentName: string, params: ListTasksRequest): Promise<ListTasksResponse>;

  /** Asks the agent to cancel the task. */
  abstract cancelTask(agentName: string, taskId: string): Promise<SendMessageResult>;

  /**
   * Follows a task until its stream ends. To leave earlier, close the client.
   *
   * @param callback told of each event; what it throws is logged
   */
  abstract subscribeToTask(
    agentName: string,
    taskId: string,
    callback: (event: AgentEvent) => void,
  ): Promise<SendMessageResult>;

  /** How long a callback of the host, and a whole interaction, may take, in seconds. */
  abstract callbackTimeoutSeconds(): number;

  /** Answers the proposals of calls that bring no strategy. */
  abstract setControlPoint(controlPoint: ControlPoint | null): void;

  /** Told of the events of calls that bring no callback. `null`: nobody is. */
  abstract setEventCallback(callback: EventCallback | null): void;

  /** Ends everything that is open, once. The agents' tasks go on, except those of sends that still run: these are cancelled. */
  abstract close(): Promise<void>;
}
