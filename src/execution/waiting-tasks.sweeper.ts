import { TaskState } from 'nestjs-a2a/protocol';
import type { TaskRecord } from '../tasks/task-record.js';
import type { TaskStore } from '../tasks/task-store.js';
import type { ExecutionLog } from './execution-log.js';
import { libraryStatus } from './library-status.js';
import type { TaskSession } from './task-session.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

const MAX_INTERVAL_MS = 60_000;
const BATCH = 100;
const TIMED_OUT = 'Nobody answered in time';

/** What the sweeper needs of its agent. */
export interface SweeperServices {
  readonly agent: string;
  readonly waitingTtlSeconds: number;
  readonly store: TaskStore;
  readonly sessions: TaskSessionRegistry;
  readonly log: ExecutionLog;
}

/** Cancels tasks that have waited for a person longer than `waitingTtlSeconds`. */
export class WaitingTasksSweeper {
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;

  constructor(private readonly services: SweeperServices) {}

  start(): void {
    const { waitingTtlSeconds } = this.services;
    if (waitingTtlSeconds === 0) return;
    const interval = Math.min(Math.max((waitingTtlSeconds * 1000) / 10, 50), MAX_INTERVAL_MS);
    this.timer = setInterval(() => {
      this.sweeping ??= this.sweep()
        .catch((error: unknown) => this.services.log.sweepFailed(error))
        .finally(() => {
          this.sweeping = undefined;
        });
    }, interval).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Cancels what has waited too long by now. */
  async sweep(): Promise<void> {
    const statusBefore = Date.now() - this.services.waitingTtlSeconds * 1000;
    for (const state of [TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]) {
      const { records } = await this.services.store.list({
        scope: { agent: this.services.agent },
        state,
        statusBefore,
        limit: BATCH,
      });
      for (const record of records) await this.cancel(record);
    }
  }

  private async cancel(record: TaskRecord): Promise<void> {
    const { sessions, log } = this.services;
    const { key } = record;
    let session: TaskSession | undefined;
    try {
      session = await sessions.open({ agent: key.agent, tenant: key.tenant }, key.id);
      const opened = session;
      await opened?.exclusive(() => this.giveUp(record, opened));
    } catch (error) {
      log.runFailed(key, error);
    } finally {
      if (session !== undefined) sessions.release(session);
    }
  }

  private async giveUp({ statusMillis }: TaskRecord, session: TaskSession): Promise<void> {
    // Somebody may have answered between the search and now.
    if (session.snapshot?.statusMillis !== statusMillis || session.snapshot.ended) return;
    session.run?.abort('canceled');
    await session.force(libraryStatus(session.identity, TaskState.CANCELED, TIMED_OUT));
  }
}
