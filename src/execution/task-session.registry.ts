import type { Message } from 'nestjs-a2a/protocol';
import { taskKeyString, type TaskKey } from '../tasks/task-record.js';
import type { TaskScope } from '../tasks/task-store.js';
import type { SessionIdentity } from './session-identity.js';
import type { SessionServices } from './session-services.js';
import { TaskSession } from './task-session.js';

class Entry {
  loading: Promise<TaskSession | undefined> | undefined;

  constructor(
    readonly name: string,
    /** How many hold the session. */
    public users: number,
    public session: TaskSession | undefined,
  ) {}
}

/**
 * The sessions of this process: at most one a task, for as long as somebody uses it. That is what makes a session the
 * one writer of its task.
 */
export class TaskSessionRegistry {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly services: SessionServices) {}

  get size(): number {
    return this.entries.size;
  }

  /** The session of a task that is being changed now. */
  find(key: TaskKey): TaskSession | undefined {
    return this.entries.get(taskKeyString(key))?.session;
  }

  /** Makes the session of a new task; its caller is the first user. */
  create(identity: SessionIdentity, message: Message, bytes: number): TaskSession {
    const session = TaskSession.forNewTask(this.services, identity, message, bytes);
    const entry = new Entry(session.name, 1, session);
    this.entries.set(session.name, entry);
    return session;
  }

  /** One more user of a session that has one. */
  retain(session: TaskSession): void {
    const entry = this.entries.get(session.name);
    if (entry === undefined) throw new Error('A session without users cannot be retained');
    entry.users++;
  }

  /**
   * Opens the session of a stored task, for one more user.
   *
   * @returns undefined when there is no such task in this scope
   */
  async open(scope: TaskScope, id: string): Promise<TaskSession | undefined> {
    const { agent, tenant, owner } = scope;
    const key: TaskKey = { agent, tenant, id };
    const name = taskKeyString(key);
    const entry = this.entries.get(name) ?? this.load(key, name);
    entry.users++;
    let session: TaskSession | undefined;
    try {
      session = entry.session ?? (await entry.loading);
    } finally {
      if (session === undefined) this.leave(entry);
    }
    if (session === undefined) return undefined;
    if (session.snapshot !== undefined && (owner === undefined || session.identity.owner === owner)) return session;
    this.leave(entry);
    return undefined;
  }

  /** One user less. The last one closes the session when everything is stored. */
  release(session: TaskSession): void {
    const entry = this.entries.get(session.name);
    if (entry !== undefined) this.leave(entry);
  }

  private load(key: TaskKey, name: string): Entry {
    const { agent, tenant, id } = key;
    const entry = new Entry(name, 0, undefined);
    // Asynchronous in any case: a store that throws at once must not leave its entry behind.
    const load = async (): Promise<TaskSession | undefined> => {
      const record = await this.services.store.get({ agent, tenant }, id);
      entry.session = record && TaskSession.forRecord(this.services, record);
      return entry.session;
    };
    entry.loading = load();
    this.entries.set(name, entry);
    return entry;
  }

  private leave(entry: Entry): void {
    entry.users--;
    if (entry.users > 0) return;
    const { session } = entry;
    if (session === undefined || session.idle) this.close(entry);
    // A store that fails here has been reported by the session.
    else
      void session.drained().then(
        () => this.close(entry),
        () => this.close(entry),
      );
  }

  private close(entry: Entry): void {
    const { name } = entry;
    if (entry.users > 0 || this.entries.get(name) !== entry) return;
    this.entries.delete(name);
    const { session } = entry;
    // The Map's outgrown tables may hold on to the entry for a long time: not to its session, too.
    entry.session = undefined;
    entry.loading = undefined;
    session?.close();
  }
}
