import { abortable } from 'nestjs-a2a/net';
import type { AgentCard, ListTasksRequest, ListTasksResponse } from 'nestjs-a2a/protocol';
import { Slots } from '../../core/slots.js';
import { classNameOf } from '../../errors/causes.js';
import { CancellationException, WorkflowStateError } from '../../errors/workflow.error.js';
import type { MessageContent } from '../../model/message-content.js';
import type { SendMessageResult } from '../../model/send-message-result.js';
import type { RuntimeCallContext } from '../a2a-runtime.js';
import { AgentCards } from '../agent-cards.js';
import { ProtocolResponses } from '../response/protocol-responses.js';
import { LinkedAbort } from '../timing/linked-abort.js';
import { settledWithin, timerMs } from '../timing/time-limits.js';
import type { WorkflowEngineClientConfig } from '../workflow-engine-client.config.js';
import { callFailure } from './call-failures.js';
import { collectEvents, endsSend, endsTask, type IsEnd } from './collect-events.js';
import { requireExtensions, withExtensions } from './extension-headers.js';
import { followStream, type SilenceAllowed } from './follow-stream.js';
import { OpenCalls } from './open-calls.js';
import { type Envelope, outgoingMessage } from './outgoing-message.js';
import type {
  A2ATransportParts,
  TransportCall,
  TransportGauges,
  TransportNotifications,
  TransportSend,
  TransportStreamCall,
} from './transport-options.js';
import { WireTrace } from './wire-trace.js';

const CLOSING_MS = 2_000;

/**
 * Calls agents: credentials, extensions, limits, and answers put together. Knows nothing of workflows or negotiations.
 *
 * @publicApi
 */
export class A2ATransport {
  private readonly cards: AgentCards;
  private readonly slots: Slots;
  private readonly sends = new OpenCalls();
  private readonly subscriptions = new OpenCalls();
  private readonly conversations = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  /** @throws WorkflowArgumentError when a card lacks what a call needs, or two have one name */
  constructor(
    cards: Iterable<AgentCard>,
    readonly config: WorkflowEngineClientConfig,
    private readonly parts: A2ATransportParts,
  ) {
    this.cards = new AgentCards(cards);
    this.slots = new Slots(config.sendExecutorMaxSize);
  }

  get isClosed(): boolean {
    return this.closing !== undefined;
  }

  gauges(): TransportGauges {
    return { sends: this.sends.size, subscriptions: this.subscriptions.size };
  }

  /** @throws WorkflowArgumentError `Agent not found: <name>` */
  card(agentName: string): AgentCard {
    return this.cards.of(agentName);
  }

  /**
   * Sends a message and takes in what comes back, until the agent ends or waits for more. More sends than
   * `sendExecutorMaxSize` wait for each other.
   *
   * @throws AgentCallError `Agent call failed: …`
   * @throws TimeoutException when nothing came for `sendTimeoutSeconds`
   */
  send(
    agentName: string,
    content: MessageContent,
    envelope: Envelope,
    options: TransportSend = {},
  ): Promise<SendMessageResult> {
    return this.guarded('Agent call failed', () => {
      const card = this.card(agentName);
      requireExtensions(card, content.extensions);
      const { signal, onceSent = signal } = options;
      const run = async (call: LinkedAbort): Promise<SendMessageResult> => {
        const before = new LinkedAbort(signal, call.signal);
        const leave = await this.slots.take(before.signal);
        try {
          const headers = await this.headers(card, content.extensions, before.signal);
          before.signal.throwIfAborted();
          options.onLeaving?.();
          const request = outgoingMessage(content, envelope);
          const trace = this.trace(
            card,
            card.capabilities.streaming === true ? 'message:stream' : 'message:send',
            options,
          );
          trace.request(request);
          const start = (context: RuntimeCallContext) => this.parts.runtime.sendMessage(card, request, context);
          const silence = this.silence(`A2A message:send timed out for ${agentName}`);
          return await followStream({ ...options, trace, headers, call, isEnd: endsSend, start, silence });
        } finally {
          before.release();
          leave();
        }
      };
      return this.sends.run(run, onceSent);
    });
  }

  /** How the task stands. */
  async getTask(agentName: string, taskId: string, options: TransportCall = {}): Promise<SendMessageResult> {
    const task = await this.call('getTask', agentName, { id: taskId }, options, (card, context) =>
      this.parts.runtime.getTask(card, taskId, context),
    );
    return ProtocolResponses.fromTask(task);
  }

  /** One page of tasks. */
  listTasks(agentName: string, params: ListTasksRequest, options: TransportCall = {}): Promise<ListTasksResponse> {
    return this.call('listTasks', agentName, params, options, (card, context) =>
      this.parts.runtime.listTasks(card, params, context),
    );
  }

  async cancelTask(agentName: string, taskId: string, options: TransportCall = {}): Promise<SendMessageResult> {
    const task = await this.call('cancelTask', agentName, { id: taskId }, options, (card, context) =>
      this.parts.runtime.cancelTask(card, taskId, context),
    );
    return ProtocolResponses.fromTask(task);
  }

  /**
   * Follows a task.
   *
   * @param isEnd when to stop listening. Default: at the end of the task
   */
  subscribeToTask(
    agentName: string,
    taskId: string,
    options: TransportStreamCall = {},
    isEnd: IsEnd = endsTask,
  ): Promise<SendMessageResult> {
    return this.guarded(`subscribeToTask failed for ${agentName}`, () => {
      const card = this.card(agentName);
      const run = async (call: LinkedAbort): Promise<SendMessageResult> => {
        const headers = await this.headers(card, [], call.signal);
        const trace = this.trace(card, 'tasks:subscribe', options);
        trace.request({ id: taskId });
        const start = (context: RuntimeCallContext) => this.parts.runtime.subscribeToTask(card, taskId, context);
        const silence = this.silence(`A2A tasks:subscribe timed out for ${agentName}`);
        return followStream({ ...options, trace, headers, call, isEnd, start, silence });
      };
      return this.subscriptions.run(run, options.signal);
    });
  }

  /** Sends a message on a connection of its own, and follows what comes until the stream ends, whatever the state. */
  openNotifications(
    agentName: string,
    content: MessageContent,
    envelope: Envelope,
    options: TransportNotifications,
  ): Promise<void> {
    return this.guarded('Agent call failed', () => {
      const card = this.card(agentName);
      requireExtensions(card, content.extensions);
      const { accumulator, onActivity: transportActivity, onEvent } = options;
      const run = async ({ signal }: LinkedAbort): Promise<void> => {
        const headers = await this.headers(card, content.extensions, signal);
        const request = outgoingMessage(content, envelope);
        const trace = this.trace(card, 'message:stream', options);
        trace.request(request);
        const context = { headers, channel: 'notification' as const, transportActivity, signal };
        const events = trace.events(this.parts.runtime.sendMessage(card, request, context));
        await collectEvents({ events, accumulator, signal, onEvent, mayBreak: false }, () => false);
      };
      return this.subscriptions.run(run, options.signal);
    });
  }

  /** Tells the runtime that nothing more will be sent with this context id. */
  closeConversation(agentName: string, contextId: string): void {
    const closing = this.tellClosed(agentName, contextId).catch((error: unknown) =>
      this.config.log.warn(`A conversation with ${agentName} could not be closed: ${classNameOf(error)}`),
    );
    this.conversations.add(closing);
    void closing.finally(() => this.conversations.delete(closing));
  }

  /** Ends subscriptions, then sends, then the runtime. Two seconds are left to each. Never rejects. */
  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    const reason = new CancellationException('A2A transport is closed');
    this.subscriptions.abort(reason);
    await this.subscriptions.settledWithin(CLOSING_MS);
    await this.sends.settledWithin(CLOSING_MS);
    this.sends.abort(reason);
    await settledWithin(Promise.all(this.conversations), CLOSING_MS);
    const { authenticator, runtime } = this.parts;
    const closing = [authenticator, runtime].map((part) => this.closePart(part));
    await settledWithin(Promise.all(closing), CLOSING_MS);
  }

  /** What the host has made may fail to close, which is no failure of what was sent. */
  private async closePart(part: { close(): Promise<void> }): Promise<void> {
    try {
      await part.close();
    } catch (error) {
      this.config.log.warn(`A part of the A2A transport could not be closed: ${classNameOf(error)}`);
    }
  }

  private async tellClosed(agentName: string, contextId: string): Promise<void> {
    await this.parts.runtime.closeConversation(this.card(agentName), contextId);
  }

  private call<T>(
    operation: string,
    agentName: string,
    params: object,
    options: TransportCall,
    start: (card: AgentCard, context: RuntimeCallContext) => Promise<T>,
  ): Promise<T> {
    return this.guarded(`${operation} failed for ${agentName}`, () => {
      const card = this.card(agentName);
      const run = async ({ signal }: LinkedAbort): Promise<T> => {
        const headers = await this.headers(card, [], signal);
        const trace = this.trace(card, operation, options);
        trace.request(params);
        const context = { headers, channel: 'task' as const, transportActivity: () => undefined, signal };
        return trace.answer(abortable(start(card, context), signal));
      };
      return this.sends.run(run, options.signal);
    });
  }

  private silence(text: string): SilenceAllowed {
    return { milliseconds: timerMs(this.config.sendTimeoutSeconds), text };
  }

  private async headers(card: AgentCard, extensions: readonly string[], signal: AbortSignal) {
    const headers = await abortable(this.parts.authenticator.headersFor(card.name, card, signal), signal);
    return withExtensions(headers, extensions);
  }

  private trace({ name: agent }: AgentCard, operation: string, { correlation }: TransportCall): WireTrace {
    return new WireTrace(this.config.wireLog, { agent, operation, correlation });
  }

  private async guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.isClosed) throw new WorkflowStateError('A2A transport is closed');
    try {
      return await work();
    } catch (error) {
      throw callFailure(what, error);
    }
  }
}
