import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { AgentRun } from './agent-run.js';
import type { TaskSession } from './task-session.js';

/** A message that was taken on: its task's session, and the run that works on it. */
export class AcceptedMessage {
  constructor(
    readonly session: TaskSession,
    readonly run: AgentRun,
    /** The task as the message found it; undefined when it does not exist yet. */
    readonly snapshot: TaskSnapshot | undefined,
    /** The stops of the run that are older than the message. */
    readonly stopsBefore: number,
  ) {}
}
