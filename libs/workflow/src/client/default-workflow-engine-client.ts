import { setMaxListeners } from 'node:events';
import type { AgentCard, ListTasksRequest, ListTasksResponse } from 'nestjs-a2a/protocol';
import { callSafely } from '../call-safely.js';
import type { ControlPoint } from '../control/control-point.js';
import type { EmitEvent, EventCallback } from '../control/event-callback.js';
import type { AgentEvent } from '../control/event-data.js';
import type { NegotiationStrategy } from '../control/negotiation-strategy.js';
import type { AgentAuthenticator } from '../credentials/agent-authenticator.js';
import { classNameOf } from '../errors/causes.js';
import {
  CancellationException,
  NullResultError,
  WorkflowArgumentError,
  WorkflowStateError,
} from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { MessageContent } from '../model/message-content.js';
import type { SendMessageResult } from '../model/send-message-result.js';
import type { A2ARuntime } from './a2a-runtime.js';
import { createA2ATransport } from './create-a2a-transport.js';
import { checkContent } from './interaction/content-rules.js';
import { Interaction } from './interaction/interaction.js';
import type { AskNegotiator } from './interaction/negotiator.js';
import { ClientEventMapper } from './response/client-event.mapper.js';
import { settledWithin, type Wait, waitByClock } from './timing/time-limits.js';
import type { A2ATransport } from './transport/a2a-transport.js';
import type { TransportGauges } from './transport/transport-options.js';
import { type SendTaskOptions, WorkflowEngineClient } from './workflow-engine-client.js';
import { type WorkflowEngineClientConfig, workflowEngineClientConfig } from './workflow-engine-client.config.js';

const CLEAN_UP_MS = 5_000;

/**
 * What a client is made of, besides the cards of its agents.
 *
 * @publicApi
 */
export interface WorkflowEngineClientParts {
  /** Default: {@link workflowEngineClientConfig} without options. */
  readonly config?: WorkflowEngineClientConfig;
  /** Default: HTTP+JSON and JSON-RPC as the settings say. It is closed with the client. */
  readonly runtime?: A2ARuntime;
  /** Default: credentials as the settings say. It is closed with the client. */
  readonly authenticator?: AgentAuthenticator;
  /** How the client waits between two questions about a task. Default: by the clock. */
  readonly wait?: Wait;
}

/**
 * What is open.
 *
 * @publicApi
 */
export interface EngineClientGauges extends TransportGauges {
  /** Calls of `sendTask`. */
  readonly interactions: number;
  /** Calls that have failed and still wait to cancel the task they began. */
  readonly cleanUps: number;
}

/**
 * The client of the engine. Its calls are independent of each other: each has its own context, strategy and events.
 *
 * @publicApi
 */
export class DefaultWorkflowEngineClient extends WorkflowEngineClient {
  private readonly transport: A2ATransport;
  private readonly ownsTransport: boolean;
  private readonly config: WorkflowEngineClientConfig;
  private readonly wait: Wait;
  private readonly interactions = new Map<Interaction, Promise<unknown>>();
  private readonly cleanUps = new Map<Promise<void>, Interaction>();
  private readonly closing = new AbortController();
  private closed: Promise<void> | undefined;
  private controlPoint: ControlPoint | null = null;
  private eventCallback: EventCallback | null = null;

  /**
   * @param source the cards of the agents; or a transport of the caller, which stays open when the client is closed
   * @throws WorkflowArgumentError when a card lacks what a call needs, or two have one name
   */
  constructor(source: Iterable<AgentCard> | A2ATransport, parts: WorkflowEngineClientParts = {}) {
    super();
    // One listener for each call that is on its way is no leak.
    setMaxListeners(0, this.closing.signal);
    this.ownsTransport = Symbol.iterator in source;
    this.transport =
      Symbol.iterator in source
        ? createA2ATransport(source, parts.config ?? workflowEngineClientConfig(), parts)
        : source;
    this.config = this.transport.config;
    this.wait = parts.wait ?? waitByClock;
  }

  /** A client on a transport of the caller, which stays open when the client is closed. */
  static nonOwning(transport: A2ATransport): DefaultWorkflowEngineClient {
    return new DefaultWorkflowEngineClient(transport);
  }

  gauges(): EngineClientGauges {
    return { ...this.transport.gauges(), interactions: this.interactions.size, cleanUps: this.cleanUps.size };
  }

  override sendTask(agentName: string, content: MessageContent, options?: SendTaskOptions): Promise<SendMessageResult>;
  override sendTask(
    agentName: string,
    content: MessageContent,
    negotiationStrategy: NegotiationStrategy | null,
    events?: EventCallback,
    options?: SendTaskOptions,
  ): Promise<SendMessageResult>;
  override async sendTask(
    agentName: string,
    content: MessageContent,
    third: SendTaskOptions | NegotiationStrategy | null = {},
    events?: EventCallback,
    last: SendTaskOptions = {},
  ): Promise<SendMessageResult> {
    if (third === null) throw new NullResultError('negotiationStrategy');
    const options: SendTaskOptions = isStrategy(third)
      ? { ...last, negotiationStrategy: third, ...(events !== undefined && { events }) }
      : third;
    return this.interact(agentName, content, options);
  }

  override async getTask(agentName: string, taskId: string): Promise<SendMessageResult> {
    this.checkTask(agentName, taskId);
    return this.transport.getTask(agentName, taskId, { signal: this.closing.signal });
  }

  override async listTasks(agentName: string, params: ListTasksRequest): Promise<ListTasksResponse> {
    const given: ListTasksRequest | null | undefined = params;
    if (isBlank(agentName) || given === null || given === undefined) {
      throw new WorkflowArgumentError('agentName and params must not be null or blank');
    }
    this.checkAgent(agentName);
    return this.transport.listTasks(agentName, given, { signal: this.closing.signal });
  }

  override async cancelTask(agentName: string, taskId: string): Promise<SendMessageResult> {
    this.checkTask(agentName, taskId);
    return this.transport.cancelTask(agentName, taskId, { signal: this.closing.signal });
  }

  override async subscribeToTask(
    agentName: string,
    taskId: string,
    callback: (event: AgentEvent) => void,
  ): Promise<SendMessageResult> {
    this.checkTask(agentName, taskId);
    return this.transport.subscribeToTask(agentName, taskId, {
      signal: this.closing.signal,
      onEvent: (event) => this.guard(() => callback(ClientEventMapper.toAgentEvent(agentName, event))),
    });
  }

  override callbackTimeoutSeconds(): number {
    return this.config.sendTimeoutSeconds;
  }

  override setControlPoint(controlPoint: ControlPoint | null): void {
    this.controlPoint = controlPoint ?? null;
  }

  override setEventCallback(callback: EventCallback | null): void {
    this.eventCallback = callback;
  }

  /** Ends everything that is open, once. Tasks of sends that still run are cancelled, for which five seconds are left. */
  override close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    const reason = new CancellationException('Workflow client closed');
    this.closing.abort(reason);
    for (const interaction of [...this.interactions.keys(), ...this.cleanUps.values()]) {
      interaction.hurry();
      interaction.cancel(reason);
    }
    await settledWithin(this.untilClean(), CLEAN_UP_MS);
    if (this.ownsTransport) await this.transport.close();
  }

  private async untilClean(): Promise<void> {
    await Promise.allSettled(this.interactions.values());
    // Some of these have begun only now.
    await Promise.allSettled(this.cleanUps.keys());
  }

  private async interact(agentName: string, content: MessageContent, options: SendTaskOptions) {
    const { negotiationStrategy }: { negotiationStrategy?: NegotiationStrategy | null } = options;
    if (negotiationStrategy === null) throw new NullResultError('negotiationStrategy');
    const nothing: MessageContent | null | undefined = content;
    if (nothing === null || nothing === undefined) throw new NullResultError('onTask returned null content');
    const given = MessageContent.of(content);
    checkContent(this.checkAgent(agentName), given);
    const interaction: Interaction = new Interaction({
      transport: this.transport,
      agentName,
      content: given,
      negotiator: this.negotiatorFor(options),
      emit: this.emitterFor(options),
      wait: this.wait,
      task: options.task,
      journal: options.journal,
      signal: options.signal,
      track: (cleanUp) => this.track(cleanUp, interaction),
    });
    const running = interaction.run();
    this.interactions.set(interaction, running);
    try {
      return await running;
    } finally {
      this.interactions.delete(interaction);
    }
  }

  private track(cleanUp: Promise<void>, interaction: Interaction): void {
    this.cleanUps.set(cleanUp, interaction);
    const done = (): void => void this.cleanUps.delete(cleanUp);
    cleanUp.then(done, done);
  }

  // What is set at the client counts for calls that begin now, not for those that run.
  private negotiatorFor({ negotiationStrategy }: SendTaskOptions): AskNegotiator | undefined {
    const { controlPoint } = this;
    if (negotiationStrategy !== undefined) return (request) => negotiationStrategy.resolve(request);
    return controlPoint === null ? undefined : (request) => controlPoint.onNegotiation(request);
  }

  private emitterFor({ events }: SendTaskOptions): EmitEvent {
    const callback = events ?? this.eventCallback;
    return (type, data) => this.guard(() => callback?.onEvent(type, data));
  }

  private guard(call: () => void): void {
    callSafely(call, (error) => this.config.log.warn(`An event callback threw: ${classNameOf(error)}`));
  }

  private checkTask(agentName: string, taskId: string): void {
    if (isBlank(agentName) || isBlank(taskId)) {
      throw new WorkflowArgumentError('agentName and taskId must not be blank');
    }
    this.checkAgent(agentName);
  }

  private checkAgent(agentName: string): AgentCard {
    if (this.closed !== undefined) throw new WorkflowStateError('Workflow client closed');
    return this.transport.card(agentName);
  }
}

function isStrategy(value: SendTaskOptions | NegotiationStrategy): value is NegotiationStrategy {
  return 'resolve' in value && typeof value.resolve === 'function';
}
