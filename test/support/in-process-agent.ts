import { callerOf } from './caller.js';
import type { LoggerService } from '@nestjs/common';
import { expect } from '@jest/globals';
import {
  Role,
  type AgentCard,
  type Message,
  type Part,
  type SendMessageConfiguration,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';
import type { Observable, Subscription } from 'rxjs';
import { A2ADiagnostics, type A2AGauges } from '../../src/a2a.diagnostics.js';
import { ObserverReports } from '../../src/a2a.observer-reports.js';
import { A2AObserver, type RunReport } from '../../src/a2a.observer.js';
import type { A2ASettings } from '../../src/a2a.options.js';
import { AgentProfile } from '../../src/agent/agent-profile.js';
import { AgentExecutor } from '../../src/agent/agent-executor.js';
import { ServerCallContext } from '../../src/agent/server-call-context.js';
import { ANONYMOUS_USER } from '../../src/authorization/a2a-user.js';
import type { TaskAuthorizationProvider } from '../../src/authorization/task-authorization.provider.js';
import { A2A_DEFAULTS } from '../../src/config/a2a-defaults.js';
import { RxJsTaskEventBus } from '../../src/events/rxjs-task-event-bus.js';
import { AgentExecutions } from '../../src/execution/agent-executions.js';
import { ExecutionLog } from '../../src/execution/execution-log.js';
import { InProcessRunScheduler } from '../../src/execution/in-process-run-scheduler.js';
import { TaskSessionRegistry } from '../../src/execution/task-session.registry.js';
import { WaitingTasksSweeper } from '../../src/execution/waiting-tasks.sweeper.js';
import { OpenStreams } from '../../src/http/host/open-streams.js';
import { DefaultRequestHandler } from '../../src/operations/default-request-handler.js';
import type { StreamFrame } from '../../src/operations/stream-frame.js';
import { TaskAccess } from '../../src/operations/task-access.js';
import { TaskStreams } from '../../src/operations/task-streams.js';
import { AddressPushUrlPolicy } from '../../src/push/address-push-url.policy.js';
import { InMemoryPushNotificationConfigStore } from '../../src/push/in-memory-push-config.store.js';
import { PredicatePushUrlPolicy } from '../../src/push/predicate-push-url.policy.js';
import { PushDelivery } from '../../src/push/push-delivery.js';
import { PushLog } from '../../src/push/push-log.js';
import type { PushNotificationConfigStore } from '../../src/push/push-notification-config-store.js';
import type { PushNotificationSender } from '../../src/push/push-notification-sender.js';
import { PushNotificationOperations } from '../../src/push/push-notification.operations.js';
import { PUSH_DEFAULTS } from '../../src/push/push-settings.js';
import { PushSubscriptions } from '../../src/push/push-subscriptions.js';
import { QueuedPushSender } from '../../src/push/queued-push.sender.js';
import { InMemoryTaskStore } from '../../src/tasks/in-memory-task-store.js';
import type { TaskStore } from '../../src/tasks/task-store.js';

export type Execute = AgentExecutor['execute'];
export type Cancel = NonNullable<AgentExecutor['cancel']>;

/** What an agent under test is made of; everything else is as in an app. */
export interface InProcessAgentOptions {
  readonly settings?: Partial<A2ASettings>;
  readonly execute?: Execute;
  readonly cancel?: Cancel;
  /** Gives an executor for each run, in place of `execute`. */
  readonly executorFor?: (call: ServerCallContext) => AgentExecutor | Promise<AgentExecutor>;
  readonly store?: TaskStore;
  readonly bus?: RxJsTaskEventBus;
  readonly authorization?: TaskAuthorizationProvider;
  readonly card?: Pick<AgentCard, 'capabilities' | 'defaultInputModes' | 'skills'>;
  readonly extendedCard?: AgentCard;
  readonly observer?: A2AObserver;
  readonly pushStore?: PushNotificationConfigStore;
  readonly pushSender?: PushNotificationSender;
  /** What the agent is called in its app; several agents may share a store. */
  readonly path?: string;
}

/** One call as a test makes it. */
export interface TestCall {
  readonly user?: string;
  readonly tenant?: string;
  readonly signal?: AbortSignal;
}

/** One message as a test sends it. */
export interface TestSend extends TestCall {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly parts?: Part[];
  readonly messageId?: string;
  readonly referenceTaskIds?: string[];
  readonly metadata?: Record<string, string>;
  readonly configuration?: SendMessageConfiguration;
}

/** Everything the observer was told, in order. */
export class RecordingObserver extends A2AObserver {
  readonly events: string[] = [];
  readonly reports: RunReport[] = [];

  override runStarted(): void {
    this.events.push('started');
  }

  override runEnded(report: RunReport): void {
    this.reports.push(report);
    this.events.push(`ended ${report.state ?? 'message'}`);
  }
}

class RecordingLogger implements LoggerService {
  readonly lines: string[] = [];
  readonly log = this.writer('log');
  readonly error = this.writer('error');
  readonly warn = this.writer('warn');

  private writer(level: string) {
    return (text: unknown): void => void this.lines.push(`${level}: ${String(text)}`);
  }
}

class FunctionExecutor extends AgentExecutor {
  override readonly cancel?: Cancel;

  constructor(
    private readonly run: Execute,
    cancel: Cancel | undefined,
  ) {
    super();
    if (cancel !== undefined) this.cancel = cancel;
  }

  override execute(...args: Parameters<Execute>): ReturnType<Execute> {
    return this.run(...args);
  }
}

const PLAIN_CARD = { capabilities: { streaming: true }, defaultInputModes: ['text/plain'], skills: [] };
const IDLE_LIMIT_MS = 10_000;

let messages = 0;

/** The parts of one agent, wired as the module wires them, without an app and without HTTP. */
export class InProcessAgent {
  readonly settings: A2ASettings;
  readonly store: TaskStore;
  readonly bus: RxJsTaskEventBus;
  readonly sessions: TaskSessionRegistry;
  readonly scheduler: InProcessRunScheduler;
  readonly executions: AgentExecutions;
  readonly streams: TaskStreams;
  readonly handler: DefaultRequestHandler;
  readonly sweeper: WaitingTasksSweeper;
  readonly push: InProcessPush;
  readonly diagnostics: A2ADiagnostics;
  readonly observer: RecordingObserver;
  readonly logs: string[];
  readonly unhandled: unknown[] = [];
  private readonly onUnhandled = (reason: unknown): void => void this.unhandled.push(reason);

  constructor(options: InProcessAgentOptions) {
    const path = options.path ?? '';
    this.settings = {
      ...A2A_DEFAULTS,
      publicUrl: undefined,
      anonymousList: 'all',
      replayGraceSeconds: 0,
      checkInputModes: false,
      ...options.settings,
    };
    const { settings } = this;
    const logger = new RecordingLogger();
    const log = new ExecutionLog(logger);
    this.logs = logger.lines;
    this.observer = new RecordingObserver();
    this.store = options.store ?? new InMemoryTaskStore(settings);
    this.bus = options.bus ?? new RxJsTaskEventBus(settings);
    const { store, bus } = this;
    const storeFailed = log.storeFailed.bind(log);
    const busFailed = log.busFailed.bind(log);
    this.sessions = new TaskSessionRegistry({ store, bus, settings, storeFailed, busFailed });
    this.scheduler = new InProcessRunScheduler({
      maxRunning: settings.executorMaxSize,
      maxQueued: settings.executorQueueCapacity,
      maxPerOwner: settings.maxRunsPerOwner,
    });
    const executor = new FunctionExecutor(options.execute ?? (() => 'done'), options.cancel);
    const { executorFor = () => executor } = options;
    this.executions = new AgentExecutions({
      store,
      settings,
      log,
      sessions: this.sessions,
      scheduler: this.scheduler,
      executors: { executorFor: async (call) => executorFor(call) },
      observer: options.observer ?? this.observer,
    });
    this.streams = new TaskStreams(bus, settings);
    const access = new TaskAccess(path, { authorization: options.authorization }, settings.agentTimeoutSeconds * 1000);
    const push = this.pushParts(options, logger, log, access);
    this.push = push;
    this.handler = new DefaultRequestHandler({
      push: push.operations,
      agent: path,
      settings,
      store,
      sessions: this.sessions,
      executions: this.executions,
      streams: this.streams,
      access,
      profile: () => new AgentProfile(options.card ?? PLAIN_CARD),
      extendedCard: async () => options.extendedCard,
    });
    const { waitingTtlSeconds } = settings;
    this.sweeper = new WaitingTasksSweeper({ agent: path, waitingTtlSeconds, store, sessions: this.sessions, log });
    this.diagnostics = new A2ADiagnostics({
      bus,
      scheduler: this.scheduler,
      executions: this.executions,
      sessions: this.sessions,
      openStreams: new OpenStreams(),
      readers: this.streams.readers,
      push,
    });
    process.on('unhandledRejection', this.onUnhandled);
  }

  private pushParts(
    { pushStore, pushSender, observer = this.observer }: InProcessAgentOptions,
    logger: LoggerService,
    executionLog: ExecutionLog,
    access: TaskAccess,
  ): InProcessPush {
    const { settings, bus, sessions, store: tasks } = this;
    const { specRevision, historyMaxRawBytes, maxPushConfigsPerTask } = settings;
    const push = settings.push === false ? PUSH_DEFAULTS : settings.push;
    const log = new PushLog(logger);
    const configs = pushStore ?? new InMemoryPushNotificationConfigStore(settings);
    const policy = settings.pushUrlValidator
      ? new PredicatePushUrlPolicy(settings.pushUrlValidator)
      : new AddressPushUrlPolicy(push.allow);
    const sender =
      pushSender ??
      new QueuedPushSender({
        settings: push,
        delivery: new PushDelivery({ settings: push, specRevision, store: configs, policy }),
        reports: new ObserverReports(observer, executionLog),
        log,
      });
    const subscriptions = new PushSubscriptions({ bus, store: configs, sender, log, historyMaxRawBytes });
    const { snapshotOnCreate, timeoutMs } = push;
    const services = {
      maxPushConfigsPerTask,
      snapshotOnCreate,
      timeoutMs,
      tasks,
      sessions,
      access,
      configs,
      policy,
      log,
    };
    return {
      configs,
      sender,
      subscriptions,
      operations: new PushNotificationOperations({ ...services, subscriptions }),
    };
  }

  call({ user, tenant = '', signal }: TestCall = {}): ServerCallContext {
    return new ServerCallContext({
      user: user === undefined ? ANONYMOUS_USER : { id: user, authenticated: true },
      tenant,
      protocolVersion: '1.0',
      binding: 'IN_PROCESS',
      requestedExtensions: [],
      headers: {},
      ...(signal && { caller: callerOf(signal) }),
    });
  }

  async send(text: string, send: TestSend = {}): Promise<SendMessageResponse> {
    return this.handler.sendMessage(requestOf(text, send), this.call(send));
  }

  /** Sends, and takes the answer for a task. */
  async sendForTask(text: string, send: TestSend = {}): Promise<Task> {
    return taskOf(await this.send(text, send));
  }

  /** Sends without waiting for the work. */
  async begin(text: string, send: TestSend = {}): Promise<Task> {
    return this.sendForTask(text, { ...send, configuration: { ...send.configuration, returnImmediately: true } });
  }

  async stream(text: string, send: TestSend = {}): Promise<FrameReader> {
    return new FrameReader(await this.handler.sendStreamingMessage(requestOf(text, send), this.call(send)));
  }

  async subscribe(id: string, call: TestCall = {}, lastEventId?: number): Promise<FrameReader> {
    return new FrameReader(await this.handler.subscribeToTask({ id }, this.call(call), lastEventId));
  }

  async get(id: string, call: TestCall = {}): Promise<Task> {
    return this.handler.getTask({ id }, this.call(call));
  }

  async cancel(id: string, call: TestCall & { readonly metadata?: Record<string, string> } = {}): Promise<Task> {
    return this.handler.cancelTask({ id, metadata: call.metadata }, this.call(call));
  }

  /** The task as the store has it. */
  async stored(id: string, { tenant = '' }: TestCall = {}, agent = ''): Promise<Task | undefined> {
    return (await this.store.get({ agent, tenant }, id))?.task;
  }

  async countStored(agent = '', tenant = ''): Promise<number> {
    return (await this.store.list({ scope: { agent, tenant }, limit: 0 })).total;
  }

  /** Waits until nothing lives any more, for a while. */
  async untilIdle(): Promise<void> {
    const end = performance.now() + IDLE_LIMIT_MS;
    while (performance.now() < end && Object.values(this.lively()).some((value) => value !== 0)) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** The gauges without those of a replay window that is meant to stay for a while. */
  private lively(): Partial<A2AGauges> {
    const { busTasks, replayBytes, ...others } = this.diagnostics.gauges();
    return this.settings.replayGraceSeconds === 0 ? { ...others, busTasks, replayBytes } : others;
  }

  /** Fails when something stays alive, or was rejected without anybody to hear. */
  async expectIdle(): Promise<void> {
    const idle = Object.fromEntries(Object.keys(this.diagnostics.gauges()).map((name) => [name, 0]));
    await this.untilIdle();
    // Before the bus ends: it lets go of whatever still hangs on it.
    const lively = this.lively();
    expect(lively).toEqual(Object.fromEntries(Object.keys(lively).map((name) => [name, 0])));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', this.onUnhandled);
    this.bus.onApplicationShutdown();
    expect(this.diagnostics.gauges()).toEqual(idle);
    expect(this.unhandled).toEqual([]);
  }
}

/** What notifies, in an agent under test. */
export interface InProcessPush {
  readonly configs: PushNotificationConfigStore;
  readonly sender: PushNotificationSender;
  readonly subscriptions: PushSubscriptions;
  readonly operations: PushNotificationOperations;
}

/** What a stream has shown so far. */
export class FrameReader {
  readonly frames: StreamFrame[] = [];
  error: unknown;
  /** Resolves when the stream is over, one way or the other. */
  readonly over: Promise<void>;
  private readonly subscription: Subscription;
  private readonly watchers = new Set<() => void>();

  constructor(frames: Observable<StreamFrame>) {
    let finish: () => void = () => undefined;
    this.over = new Promise((resolve) => (finish = resolve));
    this.subscription = frames.subscribe({
      next: (frame) => {
        this.frames.push(frame);
        for (const watch of this.watchers) watch();
      },
      error: (error: unknown) => {
        this.error = error;
        finish();
      },
      complete: finish,
    });
  }

  get payloads(): StreamResponse[] {
    return this.frames.map(({ json }): StreamResponse => JSON.parse(json));
  }

  /** Each frame in a word: the state of a task or status, `artifact` with its text, `message` with its text. */
  get words(): string[] {
    return this.payloads.map(wordOf);
  }

  get sequences(): (number | undefined)[] {
    return this.frames.map(({ sequence }) => sequence);
  }

  /** Resolves once so many frames are there. */
  async count(frames: number): Promise<void> {
    while (this.frames.length < frames) await new Promise<void>((resolve) => this.watchers.add(resolve));
  }

  leave(): void {
    this.subscription.unsubscribe();
  }
}

/** The agents of a spec: made in its tests, looked after when each test is over. */
export class AgentsUnderTest {
  private agents: InProcessAgent[] = [];

  make(options: InProcessAgentOptions): InProcessAgent {
    const agent = new InProcessAgent(options);
    this.agents.push(agent);
    return agent;
  }

  /** For `afterEach`. */
  async expectIdle(): Promise<void> {
    const { agents } = this;
    this.agents = [];
    for (const agent of agents) await agent.expectIdle();
  }
}

export function requestOf(text: string, send: TestSend = {}) {
  const message: Message = {
    messageId: send.messageId ?? `m-${++messages}`,
    role: Role.USER,
    parts: send.parts ?? [{ text }],
    ...(send.taskId !== undefined && { taskId: send.taskId }),
    ...(send.contextId !== undefined && { contextId: send.contextId }),
    ...(send.referenceTaskIds !== undefined && { referenceTaskIds: send.referenceTaskIds }),
  };
  return { message, configuration: send.configuration, metadata: send.metadata };
}

export function taskOf(response: SendMessageResponse): Task {
  if ('task' in response && response.task !== undefined) return response.task;
  throw new Error(`Not a task: ${JSON.stringify(response)}`);
}

export function textOf(message: Message | undefined): string {
  return (message?.parts ?? []).map((part) => ('text' in part ? part.text : '?')).join('');
}

/** The texts of a task's history. */
export function historyOf(task: Task): string[] {
  return (task.history ?? []).map(textOf);
}

/** The texts of a task's artifacts. */
export function artifactsOf(task: Task): string[] {
  return (task.artifacts ?? []).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '?')).join(''));
}

function wordOf(payload: StreamResponse): string {
  if ('task' in payload) return `task ${payload.task.status.state}`;
  if ('statusUpdate' in payload) return payload.statusUpdate.status.state;
  if ('message' in payload) return `message ${textOf(payload.message)}`;
  const { parts } = payload.artifactUpdate.artifact;
  return `artifact ${parts.map((part) => ('text' in part ? part.text : '?')).join('')}`;
}
