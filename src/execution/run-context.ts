import { isTextPart, type Message, type SendMessageConfiguration, type Struct, type Task } from 'nestjs-a2a/protocol';
import { privateCopy } from '../agent/private-copy.js';
import type { ConversationOptions, PreviousTasksOptions, RequestContext } from '../agent/request-context.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskStore } from '../tasks/task-store.js';
import type { AgentRun } from './agent-run.js';
import type { RunInput } from './run-input.js';
import type { TaskSession } from './task-session.js';

const DEFAULT_PREVIOUS_TASKS = 20;
const MAX_PREVIOUS_TASKS = 100;
const DEFAULT_MESSAGES = 50;

/** The {@link RequestContext} of a run. */
export class RunContext implements RequestContext {
  private ownMessage: Message | undefined;
  private ownTask: Task | undefined;
  private ownReferences: readonly Task[] | undefined;

  constructor(
    private readonly input: RunInput,
    private readonly run: AgentRun,
    private readonly session: TaskSession,
    /** On a follow-up: the task as the run takes it over. */
    private readonly taken: Task | undefined,
    private readonly store: TaskStore,
  ) {}

  // What an agent is given is its own to change: the task's stays as it is. Copied for those who ask, and once.
  get message(): Message {
    return (this.ownMessage ??= privateCopy(this.input.message));
  }

  get taskId(): string {
    return this.session.identity.key.id;
  }

  get contextId(): string {
    return this.session.identity.contextId;
  }

  get task(): Task | undefined {
    return (this.ownTask ??= privateCopy(this.taken));
  }

  get referencedTasks(): readonly Task[] {
    return (this.ownReferences ??= privateCopy(this.input.details.referencedTasks));
  }

  get configuration(): SendMessageConfiguration {
    return this.input.details.configuration;
  }

  get metadata(): Struct | undefined {
    return this.input.details.metadata;
  }

  get messages(): AsyncIterable<Message> {
    return this.run.mailbox;
  }

  get call(): ServerCallContext {
    return this.input.call;
  }

  get signal(): AbortSignal {
    return this.run.signal;
  }

  get sessionKey(): string {
    const { key, owner, contextId } = this.session.identity;
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
    return new RunContext(this.input.forCall(call, metadata), this.run, this.session, this.taken, this.store);
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
    const snapshot = this.session.snapshot;
    return snapshot === undefined ? [this.input.message] : messagesOf(snapshot.toTask());
  }

  private async earlierRecords(limit: number): Promise<TaskRecord[]> {
    const { scope, call, mayRead } = this.input;
    const { owner } = this.session.identity;
    // Where some are denied, the newest ones are looked through for others, and no further.
    const wanted = mayRead === undefined ? limit : MAX_PREVIOUS_TASKS;
    const query = { scope: { ...scope, owner }, contextId: this.contextId, limit: wanted + 1 };
    const { records } = await this.store.list(query);
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
