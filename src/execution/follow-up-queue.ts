import { UnavailableError } from 'nestjs-a2a/protocol';
import type { AgentRun } from './agent-run.js';
import type { TaskSession } from './task-session.js';

const MAX_QUEUED_FOLLOW_UPS = 64;

/** A message that waits until its task is free. */
export interface QueuedFollowUp {
  /** The run that it will have. */
  readonly run: AgentRun;
  /** Starts the run, inside the session's `exclusive`. */
  claim(): Promise<unknown>;
}

/** The messages that wait for busy tasks, first come, first served. */
export class FollowUpQueue {
  private readonly waiting = new Map<TaskSession, QueuedFollowUp[]>();

  has(session: TaskSession): boolean {
    return this.waiting.has(session);
  }

  /** @throws UnavailableError when too many wait for this task */
  add(session: TaskSession, followUp: QueuedFollowUp): void {
    const waiting = this.waiting.get(session) ?? [];
    if (waiting.length >= MAX_QUEUED_FOLLOW_UPS) {
      throw new UnavailableError(`${MAX_QUEUED_FOLLOW_UPS} messages wait for this task already`, 1);
    }
    waiting.push(followUp);
    this.waiting.set(session, waiting);
  }

  /** Takes the next one out. */
  take(session: TaskSession): QueuedFollowUp | undefined {
    const waiting = this.waiting.get(session);
    const next = waiting?.shift();
    if (waiting?.length === 0) this.waiting.delete(session);
    return next;
  }
}
