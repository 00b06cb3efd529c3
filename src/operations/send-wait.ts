import type { A2ASettings } from '../a2a.options.js';
import type { AcceptedMessage } from '../execution/agent-executions.js';
import type { RunStop } from '../execution/agent-run.js';
import type { TaskSession } from '../execution/task-session.js';

/** How a sender waits. */
export interface SendWaitOptions {
  readonly returnImmediately: boolean;
  readonly settings: A2ASettings;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for what a sender is to be answered: a direct message, or the task where the run stopped, or as it stands when
 * the caller does not wait, has waited long enough, or is gone. From then on the task exists.
 */
export async function waitForAnswer(accepted: AcceptedMessage, options: SendWaitOptions): Promise<RunStop> {
  const { session, run, snapshot } = accepted;
  const { returnImmediately, settings, signal } = options;
  if (returnImmediately && snapshot !== undefined) return { kind: 'task', snapshot };

  const waiter = run.nextStop();
  const seconds = settings.agentTimeoutSeconds;
  const patienceMs = returnImmediately ? settings.taskCreationDelayMs : seconds > 0 ? seconds * 1000 : undefined;
  const patience = runOut(patienceMs, signal);
  const ends: Promise<RunStop | undefined>[] = [waiter.promise, patience.over];
  // A birth that fails is told as the run's stop.
  if (returnImmediately) ends.push(session.born.then(taskStop, () => waiter.promise));
  try {
    return (await Promise.race(ends)) ?? (await asItStands(session, waiter.promise));
  } finally {
    patience.cancel();
    waiter.cancel();
  }
}

/** Resolves when the time is over or the caller is gone. */
function runOut(milliseconds: number | undefined, signal: AbortSignal | undefined) {
  let finish: () => void = () => undefined;
  const over = new Promise<undefined>((resolve) => {
    finish = () => resolve(undefined);
  });
  const timer = milliseconds === undefined ? undefined : setTimeout(finish, milliseconds);
  signal?.addEventListener('abort', finish, { once: true });
  if (signal?.aborted) finish();
  const cancel = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', finish);
  };
  return { over, cancel };
}

async function asItStands(session: TaskSession, stop: Promise<RunStop>): Promise<RunStop> {
  const snapshot = await session.materialise().catch(() => undefined);
  return snapshot === undefined ? stop : taskStop(snapshot);
}

function taskStop(snapshot: NonNullable<AcceptedMessage['snapshot']>): RunStop {
  return { kind: 'task', snapshot };
}
