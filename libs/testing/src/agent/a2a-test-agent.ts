import { AssertionError } from 'node:assert';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { ANONYMOUS_USER, ServerCallContext, type A2AUser, type AgentExecutor, type RequestHandler } from 'nestjs-a2a';
import {
  decodeListTasksRequest,
  InvalidParamsError,
  PROTOCOL_VERSION,
  type ListTasksRequest,
  type ListTasksResponse,
  type Message,
  type SendMessageResponse,
  type Struct,
  type Task,
} from 'nestjs-a2a/protocol';
import { describeMessage, describeTask } from '../assertions/task-description.js';
import { handlerOf, startAgent, type TestAgentOptions } from './agent-module.js';
import { sendRequest, type TestMessage, type TestSendOptions } from './test-message.js';
import { TestStream } from './test-stream.js';

/** Who calls, and how. */
interface Caller {
  readonly user: A2AUser;
  readonly tenant: string;
  readonly extensions: readonly string[];
  readonly headers: ServerCallContext['headers'];
}

const NOBODY: Caller = { user: ANONYMOUS_USER, tenant: '', extensions: [], headers: {} };

/**
 * An agent in a test: the module's own parts, called in process, without a port. Requests are checked as those of a
 * client; what belongs to HTTP (guards, `UserResolver`, media types, headers) is not there.
 *
 * ```ts
 * const agent = await A2ATestAgent.create(RecipeAgent, { providers: [Kitchen] });
 * const task = await agent.send('pancakes');
 * expectState(task, TaskState.COMPLETED);
 * expectText(task, /flour/);
 * await agent.close();
 * ```
 *
 * @publicApi
 */
export class A2ATestAgent {
  private constructor(
    /** The app context, to get providers from. */
    readonly app: INestApplicationContext,
    private readonly handler: RequestHandler,
    private readonly caller: Caller,
  ) {}

  /**
   * Starts an agent.
   *
   * @param target the executor, its class, or a testing module (or app) that imports `A2AModule`
   * @param options what the agent is made of; of a module that is there already only `path` matters, which says which
   *   of its agents is meant
   * @throws A2AConfigurationError, AgentCardError and what else starting an app throws
   */
  static async create(
    target: Type<AgentExecutor> | AgentExecutor | INestApplicationContext,
    options: TestAgentOptions = {},
  ): Promise<A2ATestAgent> {
    const app = isAppContext(target) ? await target.init() : await startAgent(target, options);
    return new A2ATestAgent(app, handlerOf(app, options.path), NOBODY);
  }

  /** The same agent, called by somebody: an id, or a whole user. */
  as(user: string | A2AUser): A2ATestAgent {
    return this.with({ user: typeof user === 'string' ? { id: user, authenticated: true } : user });
  }

  /** The same agent, called for a tenant. */
  tenant(tenant: string): A2ATestAgent {
    return this.with({ tenant });
  }

  /** The same agent, called with these extensions requested. */
  extensions(...uris: readonly string[]): A2ATestAgent {
    return this.with({ extensions: uris });
  }

  /** The same agent, called with these headers, whose names are in lower case. */
  headers(headers: Readonly<Record<string, string>>): A2ATestAgent {
    return this.with({ headers });
  }

  /**
   * Sends a message and waits for its task to end or to be interrupted, or for `agentTimeoutSeconds`.
   *
   * @throws A2AError as a client would get it, AssertionError when the agent answers with a message
   */
  async send(message: TestMessage, options: TestSendOptions = {}): Promise<Task> {
    return taskOf(await this.answer(message, options), this.send);
  }

  /** As {@link send}, without waiting: the task as it is once it exists. */
  async begin(message: TestMessage, options: TestSendOptions = {}): Promise<Task> {
    const configuration = { ...options.configuration, returnImmediately: true };
    return taskOf(await this.answer(message, { ...options, configuration }), this.begin);
  }

  /** Sends a message that the agent answers with a message. @throws AssertionError when it makes a task */
  async ask(message: TestMessage, options: TestSendOptions = {}): Promise<Message> {
    const answer = await this.answer(message, options);
    if ('message' in answer) return answer.message;
    const text = `The agent made a task instead of answering with a message\n\n${describeTask(answer.task)}`;
    throw new AssertionError({ message: text, stackStartFn: this.ask });
  }

  /** Sends a message to a task that is there already, and waits as {@link send} does. */
  async followUp(
    task: Task | string,
    message: TestMessage,
    options: Omit<TestSendOptions, 'task'> = {},
  ): Promise<Task> {
    return this.send(message, { ...options, task });
  }

  /** Sends a message and reads the stream. Resolves when the stream is open. */
  async stream(message: TestMessage, options: TestSendOptions = {}): Promise<TestStream> {
    return new TestStream(await this.handler.sendStreamingMessage(sendRequest(message, options), this.call()));
  }

  /** Reads the stream of a task that has not ended. @param after the number of the last event seen, to go on behind it */
  async subscribe(task: Task | string, after?: number): Promise<TestStream> {
    return new TestStream(await this.handler.subscribeToTask({ id: idOf(task) }, this.call(), after));
  }

  /** The task as it stands. @throws TaskNotFoundError */
  async get(task: Task | string, historyLength?: number): Promise<Task> {
    return this.handler.getTask({ id: idOf(task), historyLength }, this.call());
  }

  /** A page of the caller's tasks, latest status first. */
  async list(query: ListTasksRequest = {}): Promise<ListTasksResponse> {
    const request = decodeListTasksRequest(query);
    if (!request.ok) throw new InvalidParamsError(request.violations);
    return this.handler.listTasks(request.value, this.call());
  }

  /** Cancels a task and waits for it. @throws TaskNotFoundError, TaskNotCancelableError */
  async cancel(task: Task | string, metadata?: Struct): Promise<Task> {
    return this.handler.cancelTask({ id: idOf(task), metadata }, this.call());
  }

  /**
   * Stops the agent with everything it was started with. Put a real clock back first: an agent that is still at work
   * is given a moment to notice.
   */
  async close(): Promise<void> {
    await this.app.close();
  }

  private async answer(message: TestMessage, options: TestSendOptions): Promise<SendMessageResponse> {
    return this.handler.sendMessage(sendRequest(message, options), this.call());
  }

  private with(changes: Partial<Caller>): A2ATestAgent {
    return new A2ATestAgent(this.app, this.handler, { ...this.caller, ...changes });
  }

  private call(): ServerCallContext {
    const { user, tenant, extensions, headers } = this.caller;
    return new ServerCallContext({
      user,
      tenant,
      protocolVersion: PROTOCOL_VERSION,
      binding: 'IN_PROCESS',
      requestedExtensions: extensions,
      headers,
    });
  }
}

// Not by class: the test runner may have loaded Nest twice.
function isAppContext(
  target: Type<AgentExecutor> | AgentExecutor | INestApplicationContext,
): target is INestApplicationContext {
  return typeof target === 'object' && 'select' in target && 'resolve' in target;
}

function idOf(task: Task | string): string {
  return typeof task === 'string' ? task : task.id;
}

function taskOf(answer: SendMessageResponse, caller: (...args: never[]) => unknown): Task {
  if ('task' in answer) return answer.task;
  const message = `The agent answered with a message instead of a task\n\n${describeMessage(answer.message)}`;
  throw new AssertionError({ message, stackStartFn: caller });
}
