import {
  MethodNotFoundError,
  VersionNotSupportedError,
  type AgentCard,
  type Decoder,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import { A2AChat } from './a2a-chat.js';
import { isSameInterface, type AgentConnection } from './agent-connection.js';
import { AgentConnector } from './agent-connector.js';
import { AgentOperations, type StreamSettings, type StreamStart } from './agent-operations.js';
import type { CallOptions } from './calls/agent-calls.js';
import { CallScope } from './calls/call-scope.js';
import { userMessage } from './calls/user-message.js';
import { A2AClientError } from './client-error.js';
import { checkClientOptions } from './client-options.check.js';
import { type A2AClientOptions, DEFAULT_POLLING } from './client-options.js';
import { BearerCredential, type TokenProvider } from './credentials/bearer.credential.js';
import type { AgentTarget } from './discovery/agent-target.js';
import type { DiscoveredAgent } from './discovery/discovered-agent.js';
import { checkNames } from './option-names.js';
import { SharedWork } from './shared-work.js';
import { cannotSubscribe } from './streams/cannot-subscribe.js';
import { DEFAULT_MAX_RESUMES } from './streams/resume-budget.js';
import { settledTask } from './streams/task-poller.js';
import { isSettled } from './task/settled.js';
import { textOfAnswer } from './task/task-text.js';
import type { TaskView } from './task/task-view.js';

/** A further refresh of a card because of refused calls comes not before this time is over. */
const REFRESH_COOLDOWN_MS = 60_000;
const CONNECT_OPTIONS = { signal: true } as const;
const AGENT_OPTIONS = { signal: true, fresh: true } as const;
const asItIs: Decoder<unknown> = (value) => ({ ok: true, value });

/**
 * Calls agents. A client is made with options, and bound to an agent by {@link connect}, {@link at} or
 * {@link discover}. What is bound shares connections, cards and tokens with the client it came from; close that one.
 *
 * @publicApi
 */
export class A2AClient extends AgentOperations {
  protected readonly streamSettings: StreamSettings;
  private readonly options: A2AClientOptions;
  private readonly connector: AgentConnector;
  private readonly finding = new SharedWork<AgentConnection>();
  private connection: AgentConnection | undefined;
  private refreshedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param options or an API key
   * @param target the agent that is called; found at the first call
   * @param connector not for you: what the client shares with the one it came from
   * @throws A2AClientError `INVALID_CONFIGURATION`, for a misspelled option too
   */
  constructor(
    options: A2AClientOptions | string = {},
    private readonly target?: AgentTarget,
    connector?: AgentConnector,
  ) {
    super();
    this.options = typeof options === 'string' ? { credentials: options } : options;
    if (connector === undefined) checkClientOptions(this.options);
    this.connector = connector ?? new AgentConnector(this.options);
    const { polling, resumeStreams = true, maxResumes = DEFAULT_MAX_RESUMES } = this.options;
    this.streamSettings = { polling: { ...DEFAULT_POLLING, ...polling }, resume: resumeStreams, maxResumes };
  }

  /**
   * A client of its own for one agent, whose card is read at once.
   *
   * @param target URL of the agent or of its card, or the card
   * @param options or an API key
   */
  static async discover(target: AgentTarget, options: A2AClientOptions | string = {}): Promise<A2AClient> {
    const client = new A2AClient(options, target);
    try {
      await client.agent();
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** A client that shows a bearer token, or what a function gives for one. */
  static bearerToken(token: string | TokenProvider, options: A2AClientOptions = {}): A2AClient {
    return new A2AClient({ ...options, credentials: new BearerCredential(token) });
  }

  /** This client for an agent whose card is read at once. What else there is to set is for the constructor. */
  async connect(target: AgentTarget, options: { readonly signal?: AbortSignal } = {}): Promise<A2AClient> {
    checkNames('The options of connect', options, CONNECT_OPTIONS, 'INVALID_ARGUMENT');
    const client = this.at(target);
    await client.agent(options);
    return client;
  }

  /** This client for an agent whose card is read at the first call. */
  at(target: AgentTarget): A2AClient {
    return new A2AClient(this.options, target, this.connector);
  }

  /**
   * The agent: its card, and which interface of it is used.
   *
   * @param options `fresh` asks the agent for its card, whatever is known; calls go on with what they have. Default: false
   */
  async agent(options: { readonly signal?: AbortSignal; readonly fresh?: boolean } = {}): Promise<DiscoveredAgent> {
    checkNames('The options of agent', options, AGENT_OPTIONS, 'INVALID_ARGUMENT');
    const { signal, fresh = false } = options;
    if (fresh && this.target !== undefined) return this.connector.find(this.target, signal, true);
    return (await this.connected(signal)).agent;
  }

  /**
   * Asks for the card that this caller may see, which is used from then on.
   *
   * @see A2A 1.0, section 3.1.11
   */
  getExtendedAgentCard(options: CallOptions = {}): Promise<AgentCard> {
    return this.run(async ({ agent, calls }) => {
      const answer = await calls.call('GetExtendedAgentCard', {}, asItIs, options);
      const judge = (signal: AbortSignal) => agent.withExtendedCard(answer, signal);
      const extended = await this.connector.untilClosed(judge, options.signal);
      this.connection = this.connector.connect(extended);
      return extended.card;
    }, options.signal);
  }

  /**
   * Sends a text and gives the text of the answer, however long the task takes. Where the agent asks something, that is
   * what you get, and nothing tells it from an answer: {@link chat} knows, and answers it.
   *
   * @throws A2ATaskFailedError when the task ends without success
   */
  async sendTask(text: string, options: CallOptions = {}): Promise<string> {
    const answer = await this.sendTaskResponse(text, false, options);
    if ('message' in answer || isSettled(answer.task.status.state)) return textOfAnswer(answer);
    return textOfAnswer({ task: await this.waitForTask(answer.task.id, options) });
  }

  /**
   * Sends a text and gives the answer: a task, whose state says how it is, or a message.
   *
   * @param returnImmediately whether to answer as soon as there is a task. Default: false
   */
  sendTaskResponse(text: string, returnImmediately = false, options: CallOptions = {}): Promise<SendMessageResponse> {
    return this.sendMessage({ message: userMessage(text), configuration: { returnImmediately } }, options);
  }

  /** A conversation: the ids are carried from turn to turn. */
  chat(contextId?: string): A2AChat {
    return new A2AChat(this, contextId);
  }

  /** The task as soon as it has ended or waits for the client. */
  async waitForTask(taskId: string, options: CallOptions = {}): Promise<Task> {
    const task = await this.getTask(taskId, options);
    if (isSettled(task.status.state)) return task;
    try {
      await this.subscribeToTask(taskId, options).until(({ state }) => isSettled(state));
    } catch (error) {
      if (!cannotSubscribe(error)) throw error;
    }
    // It ended just now, or the agent has no more to tell on streams.
    const { polling } = this.streamSettings;
    return this.run(({ calls }) => settledTask(calls, taskId, options, polling), options.signal);
  }

  /** Ends every call and every connection, those of the clients that came from this one too. */
  async close(): Promise<void> {
    this.connection?.close();
    await this.connector.close();
  }

  protected async run<T>(work: (connection: AgentConnection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const connection = await this.connected(signal);
    try {
      return await work(connection);
    } catch (error) {
      const moved = await this.moved(connection, error, signal);
      if (moved === undefined) throw error;
      return work(moved);
    }
  }

  protected async *runStream(
    start: StreamStart,
    view: TaskView,
    options: CallOptions,
    left: AbortSignal,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const scope = new CallScope(options.signal, 0, left);
    const { signal } = scope;
    const call = { ...options, signal };
    let begun = false;
    try {
      const connection = await this.connected(signal);
      try {
        for await (const event of start(connection, view, call)) {
          begun = true;
          yield event;
        }
      } catch (error) {
        const moved = begun ? undefined : await this.moved(connection, error, signal);
        if (moved === undefined) throw error;
        yield* start(moved, view, call);
      }
    } finally {
      scope.end();
    }
  }

  private async connected(signal?: AbortSignal): Promise<AgentConnection> {
    if (this.connection !== undefined) return this.connection;
    const { target } = this;
    if (target === undefined) {
      throw new A2AClientError(
        'NOT_CONNECTED',
        'This client has no agent yet: call connect(url) and use what it gives',
      );
    }
    return this.finding.run(
      'agent',
      async (shared) => (this.connection = this.connector.connect(await this.connector.find(target, shared))),
      signal,
    );
  }

  /** Where the agent is now, when it may have refused a call because its card has changed; nothing was done then. */
  private async moved(
    from: AgentConnection,
    error: unknown,
    signal?: AbortSignal,
  ): Promise<AgentConnection | undefined> {
    if (!(error instanceof MethodNotFoundError || error instanceof VersionNotSupportedError)) return undefined;
    if (this.connection !== from) return this.connection;
    if (performance.now() - this.refreshedAt < REFRESH_COOLDOWN_MS) return undefined;
    this.refreshedAt = performance.now();
    let agent: DiscoveredAgent;
    try {
      agent = await this.connector.untilClosed((stop) => from.agent.refresh(stop), signal);
    } catch {
      signal?.throwIfAborted();
      // That the call was refused is the news, not that there is no card to explain it.
      return undefined;
    }
    if (isSameInterface(from.agent, agent)) return undefined;
    this.connection = this.connector.connect(agent);
    return this.connection;
  }
}
