import {
  type A2ATransport,
  A2AClientError,
  type ClientHttp,
  type ClientHttpLimits,
  type ClientNetwork,
  SafeClientHttp,
  type StreamingMethod,
  type TlsContext,
} from 'nestjs-a2a/client';
import {
  type A2AMethod,
  type AgentCard,
  type Decoder,
  decodeListTasksResponse,
  decodeSendMessageResponse,
  decodeStreamResponse,
  decodeTask,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../../errors/workflow.error.js';
import { type EngineLog, SILENT_LOG } from '../../logging/engine-log.js';
import { A2ARuntime, type RuntimeCallContext } from '../a2a-runtime.js';
import { ActivityHttp } from './activity-http.js';
import { AgentPools } from './agent-pools.js';
import { wrapped } from './bare-objects.js';
import { decodedAnswer } from './decoded-answer.js';
import { remoteFailure } from './remote-failure.js';
import { runtimeInterface } from './runtime-interface.js';

const CONNECT_TIMEOUT_MS = 60_000;
const MAX_STREAM_BYTES = 256 * 1024 * 1024;
/** Whoever calls has limits of its own, and heartbeats keep a stream alive that they do not know of. */
const UNLIMITED: ClientHttpLimits = { totalTimeoutMs: 0, headersTimeoutMs: 0, idleTimeoutMs: 0 };
const QUESTION: ClientHttpLimits = { totalTimeoutMs: 60_000, headersTimeoutMs: 60_000 };

/**
 * Options of {@link DefaultA2ARuntime}.
 *
 * @publicApi
 */
export interface DefaultA2ARuntimeOptions {
  /** This binding is used where a card has it; letter case does not count. Default: the card's first. */
  readonly preferredProtocol?: string | null;
  /** Where agents may be reached. Default: `'any'`, since cards come from the host or its registry. */
  readonly network?: ClientNetwork;
  /** Default: the authorities that Node knows, and no certificate of its own. */
  readonly tls?: TlsContext;
  /**
   * How long the stream of a task may get, in bytes; what it told is held in memory. A stream that is longer counts as
   * broken. Streams of notifications have no such limit. Default: 256 MiB.
   */
  readonly maxStreamBytes?: number;
  /** Told of cards without the preferred binding. Default: nobody. */
  readonly log?: EngineLog;
}

interface Connection {
  readonly transport: A2ATransport;
  readonly headers: Record<string, string>;
  giveBack(): void;
}

/**
 * Speaks HTTP+JSON and JSON-RPC with agents. Sends nothing twice, follows no redirects, and takes no stream up again: the
 * engine asks for tasks whose stream it lost.
 *
 * @publicApi
 */
export class DefaultA2ARuntime extends A2ARuntime {
  private readonly pools: AgentPools;
  private readonly warned = new WeakSet<AgentCard>();

  constructor(private readonly options: DefaultA2ARuntimeOptions = {}) {
    super();
    this.pools = new AgentPools(
      () => this.makeHttp(),
      () => new WorkflowStateError('A2A runtime is closed'),
    );
  }

  async *sendMessage(
    card: AgentCard,
    request: SendMessageRequest,
    context: RuntimeCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    if (card.capabilities.streaming === true || context.channel === 'notification') {
      yield* this.stream('SendStreamingMessage', card, request, context);
      return;
    }
    const answer = await this.call('SendMessage', card, request, context, UNLIMITED);
    yield decodedAnswer(decodeSendMessageResponse, wrapped(answer));
  }

  override async getTask(card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    return this.ask('GetTask', card, { id: taskId }, context, decodeTask);
  }

  override async listTasks(
    card: AgentCard,
    params: ListTasksRequest,
    context: RuntimeCallContext,
  ): Promise<ListTasksResponse> {
    return this.ask('ListTasks', card, params, context, decodeListTasksResponse);
  }

  override async cancelTask(card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    return this.ask('CancelTask', card, { id: taskId }, context, decodeTask);
  }

  override subscribeToTask(
    card: AgentCard,
    taskId: string,
    context: RuntimeCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    return this.stream('SubscribeToTask', card, { id: taskId }, context);
  }

  close(): Promise<void> {
    return this.pools.close();
  }

  /**
   * Puts something of your own in front of HTTP: other URLs, more headers. What is returned must keep headers and bodies,
   * and hand streams on bit by bit.
   *
   * @param http with TLS and limits; answers come out of it as they are, errors among them
   */
  protected customizeHttpClient(http: ClientHttp): ClientHttp {
    return http;
  }

  private makeHttp(): ClientHttp {
    const { network = 'any', tls } = this.options;
    const http = new SafeClientHttp({ network, tls, connectTimeoutMs: CONNECT_TIMEOUT_MS });
    // Hosts write JavaScript too.
    const customized: ClientHttp | null | undefined = this.customizeHttpClient(http);
    if (customized !== null && customized !== undefined) return customized;
    http.close().catch(() => undefined);
    throw new WorkflowStateError(
      'customizeHttpClient returned nothing: return the client it was given, or one around it',
    );
  }

  private async *stream(
    method: StreamingMethod,
    card: AgentCard,
    params: object,
    context: RuntimeCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const { transport, headers, giveBack } = this.connect(card, context);
    try {
      const options = { headers, signal: context.signal, limits: UNLIMITED };
      for await (const { response, last = false } of transport.stream(method, params, options)) {
        yield decodedAnswer(decodeStreamResponse, wrapped(response));
        if (last) return;
      }
    } catch (error) {
      // That nothing came is judged by whoever waits for something.
      if (!(error instanceof A2AClientError && error.code === 'EMPTY_STREAM')) throw error;
    } finally {
      transport.close();
      giveBack();
    }
  }

  private async ask<T>(
    method: A2AMethod,
    card: AgentCard,
    params: object,
    context: RuntimeCallContext,
    decode: Decoder<T>,
  ): Promise<T> {
    return decodedAnswer(decode, await this.call(method, card, params, context, QUESTION));
  }

  private async call(
    method: A2AMethod,
    card: AgentCard,
    params: object,
    context: RuntimeCallContext,
    limits: ClientHttpLimits,
  ): Promise<unknown> {
    const { transport, headers, giveBack } = this.connect(card, context);
    try {
      return await transport.call(method, params, { headers, signal: context.signal, limits });
    } finally {
      transport.close();
      giveBack();
    }
  }

  private connect(card: AgentCard, context: RuntimeCallContext): Connection {
    const { preferredProtocol = null, log = SILENT_LOG, maxStreamBytes = MAX_STREAM_BYTES } = this.options;
    const isTask = context.channel === 'task';
    const { factory, isPreferred, url, tenant, protocolVersion } = runtimeInterface(card, preferredProtocol);
    if (!isPreferred && !this.warned.has(card)) {
      this.warned.add(card);
      log.warn(`The card of ${card.name} has no ${preferredProtocol} interface: ${factory.binding} is used`);
    }
    const { http: pool, giveBack } = isTask ? this.pools.take(`${card.name} ${url}`) : this.pools.takeOwn();
    const limit = { maxBytes: isTask ? maxStreamBytes : Infinity };
    const http = new ActivityHttp(pool, context.transportActivity, limit);
    const transport = factory.create({ url, tenant, protocolVersion, http, readFailure: remoteFailure });
    return { transport, headers: lowerCased(context.headers), giveBack };
  }
}

/** So that a header of a host takes the place of the binding's own, however it is written. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
