import { UnavailableError } from 'nestjs-a2a/protocol';
import type { AgentRun } from './agent-run.js';
import type { LiveRun } from './live-run.js';
import type { TaskSession } from './task-session.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

/** The live runs of one agent, and whether there may be more of them. */
export class LiveRunRegistry {
  private readonly live = new Map<AgentRun, LiveRun>();
  private closed = false;

  constructor(private readonly sessions: TaskSessionRegistry) {}

  get size(): number {
    return this.live.size;
  }

  /** True once the server is stopping. */
  get draining(): boolean {
    return this.closed;
  }

  /** From now on there are no more runs. */
  drain(): void {
    this.closed = true;
  }

  /** @throws UnavailableError when the server is stopping */
  refuseWhileDraining(): void {
    if (this.closed) throw new UnavailableError('The server is stopping', 1);
  }

  add(live: LiveRun): void {
    this.live.set(live.run, live);
  }

  has({ run }: LiveRun): boolean {
    return this.live.has(run);
  }

  /** The run that works on a task now. */
  of({ run }: TaskSession): LiveRun | undefined {
    return run && this.live.get(run);
  }

  /** All of them, as they are now. */
  all(): LiveRun[] {
    return [...this.live.values()];
  }

  /** Resolves when none is left, those included that begin in the meantime. */
  async whenEmpty(): Promise<void> {
    while (this.live.size > 0) await Promise.all(this.all().map((live) => live.finished.whenOpen));
  }

  /** Takes out a run that is over, and tells those who wait for that. */
  finish({ run, session, finished }: LiveRun): void {
    if (!this.live.delete(run)) return;
    run.silence();
    finished.open();
    this.sessions.release(session);
  }
}
