import { isTextPart, type Message, type SendMessageConfiguration, type Struct, type Task } from 'nestjs-a2a/protocol';
import { privateCopy } from '../agent/private-copy.js';
import type { ConversationOptions, PreviousTasksOptions, RequestContext } from '../agent/request-context.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskScope, TaskStore } from '../tasks/task-store.js';
import type { AgentRun } from './agent-run.js';
import type { TaskSession } from './task-session.js';

const DEFAULT_PREVIOUS_TASKS = 20;
const MAX_PREVIOUS_TASKS = 100;
const DEFAULT_MESSAGES = 50;

/** What a message brings along for its run. */
export interface RunInput {
  readonly message: Message;
  /** The size of the message, for `maxTaskBytes`. */
  readonly bytes: number;
  readonly configuration: SendMessageConfiguration;
  readonly metadata: Struct | undefined;
  readonly referencedTasks: readonly Task[];
  readonly call: ServerCallContext;
  /** Whose tasks this call may see. */
  readonly scope: TaskScope;
  /** Somebody is about to read the events of the task: keep them from the run's first one on. */
  readonly followed: boolean;
  /** Whether a call may see a task of the scope. Absent: all of them. */
  readonly mayRead?: (call: ServerCallContext, taskId: string) => Promise<boolean>;
}

/** The run that a context is of, and what it works on. */
export interface RunSubject {
  readonly run: AgentRun;
  readonly session: TaskSession;
  /** On a follow-up: the task as the run takes it over. */
  readonly task: Task | undefined;
  readonly store: TaskStore;
}

/** The {@link RequestContext} of a run. */
export class RunContext implements RequestContext {
  private ownMessage: Message | undefined;
  private ownTask: Task | undefined;
  private ownReferences: readonly Task[] | undefined;

  constructor(
    private readonly input: RunInput,
    private readonly subject: RunSubject,
  ) {}

  // What an agent is given is its own to change: the task's stays as it is. Copied for those who ask, and once.
  get message(): Message {
    return (this.ownMessage ??= privateCopy(this.input.message));
  }

  get taskId(): string {
    return this.subject.session.identity.key.id;
  }

  get contextId(): string {
    return this.subject.session.identity.contextId;
  }

  get task(): Task | undefined {
    return (this.ownTask ??= privateCopy(this.subject.task));
  }

  get referencedTasks(): readonly Task[] {
    return (this.ownReferences ??= privateCopy(this.input.referencedTasks));
  }

  get configuration(): SendMessageConfiguration {
    return this.input.configuration;
  }

  get metadata(): Struct | undefined {
    return this.input.metadata;
  }

  get messages(): AsyncIterable<Message> {
    return this.subject.run.mailbox;
  }

  get call(): ServerCallContext {
    return this.input.call;
  }

  get signal(): AbortSignal {
    return this.subject.run.signal;
  }

  get sessionKey(): string {
    const { key, owner, contextId } = this.subject.session.identity;
    return JSON.stringify([key.agent, key.tenant, owner, contextId]);
  }

  get text(): string {
    return this.input.message.parts
      .filter(isTextPart)
      .map((part) => part.text)
      .join('\n');
  }

  /** The same run seen by another call, for `cancel()`. */
  forCall(call: ServerCallContext, metadata: Struct | undefined): RunContext {
    return new RunContext({ ...this.input, call, metadata }, this.subject);
  }

  async previousTasks(options: PreviousTasksOptions = {}): Promise<readonly Task[]> {
    const limit = Math.min(Math.max(options.limit ?? DEFAULT_PREVIOUS_TASKS, 0), MAX_PREVIOUS_TASKS);
    if (limit === 0) return [];
    return (await this.earlierRecords(limit)).map((record) => privateCopy(record.task));
  }

  async conversation(options: ConversationOptions = {}): Promise<readonly Message[]> {
    const maxMessages = Math.max(options.maxMessages ?? DEFAULT_MESSAGES, 0);
    if (maxMessages === 0) return [];
    const messages = this.ownMessages();
    if (messages.length < maxMessages) {
      // Newest first: stop at the first task that fills the measure.
      for (const record of await this.earlierRecords(MAX_PREVIOUS_TASKS)) {
        messages.unshift(...messagesOf(record.task));
        if (messages.length >= maxMessages) break;
      }
    }
    return privateCopy(messages.slice(-maxMessages));
  }

  private ownMessages(): Message[] {
    const snapshot = this.subject.session.snapshot;
    return snapshot === undefined ? [this.input.message] : messagesOf(snapshot.toTask());
  }

  private async earlierRecords(limit: number): Promise<TaskRecord[]> {
    const { scope, call, mayRead } = this.input;
    const { store } = this.subject;
    const { owner } = this.subject.session.identity;
    // Where some are denied, the newest ones are looked through for others, and no further.
    const wanted = mayRead === undefined ? limit : MAX_PREVIOUS_TASKS;
    const query = { scope: { ...scope, owner }, contextId: this.contextId, limit: wanted + 1 };
    const { records } = await store.list(query);
    const others = records.filter((record) => record.id !== this.taskId);
    if (mayRead === undefined) return others.slice(0, limit);
    const allowed = await Promise.all(others.map(({ id }) => mayRead(call, id)));
    return others.filter((_, index) => allowed[index]).slice(0, limit);
  }
}

function messagesOf(task: Task): Message[] {
  const { message } = task.status;
  return [...(task.history ?? []), ...(message === undefined ? [] : [message])];
}
