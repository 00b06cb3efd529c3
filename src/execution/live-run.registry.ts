import { UnavailableError } from 'nestjs-a2a/protocol';
import type { LiveRun } from './live-run.js';
import type { TaskSession } from './task-session.js';
import type { TaskSessionRegistry } from './task-session.registry.js';

/** The live runs of one agent, and whether there may be more of them. */
export class LiveRunRegistry {
  // Not a Map: one that is added to and deleted from all the time leaves its old tables behind, and each of them keeps
  // whole runs alive until the next full collection.
  private readonly live: LiveRun[] = [];
  private closed = false;

  constructor(private readonly sessions: TaskSessionRegistry) {}

  get size(): number {
    return this.live.length;
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
    live.run.place = this.live.push(live) - 1;
  }

  has(live: LiveRun): boolean {
    return this.live[live.run.place] === live;
  }

  /** The run that works on a task now. */
  of({ run }: TaskSession): LiveRun | undefined {
    const live = run && this.live[run.place];
    return live?.run === run ? live : undefined;
  }

  /** All of them, as they are now. */
  all(): LiveRun[] {
    return [...this.live];
  }

  /** Resolves when none is left, those included that begin in the meantime. */
  async whenEmpty(): Promise<void> {
    while (this.live.length > 0) await Promise.all(this.all().map((live) => live.finished.whenOpen));
  }

  /** Takes out a run that is over, and tells those who wait for that. */
  finish(live: LiveRun): void {
    if (!this.has(live)) return;
    const { run, session, finished } = live;
    const last = this.live.pop();
    if (last !== undefined && last !== live) {
      this.live[run.place] = last;
      last.run.place = run.place;
    }
    run.place = -1;
    run.silence();
    finished.open();
    this.sessions.release(session);
  }
}
