import type { A2ASettings } from '../a2a.options.js';
import type { CallerPresence } from '../agent/server-call-context.js';
import type { AcceptedMessage } from '../execution/accepted-message.js';
import type { RunStop } from '../execution/agent-run.js';

/** How a sender waits. */
export interface SendWaitOptions {
  readonly returnImmediately: boolean;
  readonly settings: A2ASettings;
  readonly caller: CallerPresence | undefined;
}

/**
 * Waits for what a sender is to be answered: a direct message, or the task where the run stopped, or as it stands when
 * the caller does not wait, has waited long enough, or is gone. From then on the task exists.
 */
export function waitForAnswer(accepted: AcceptedMessage, options: SendWaitOptions): Promise<RunStop> {
  const { session, run, snapshot, stopsBefore } = accepted;
  const { returnImmediately, settings, caller } = options;
  if (returnImmediately && snapshot !== undefined) return Promise.resolve({ kind: 'task', snapshot });

  const seconds = settings.agentTimeoutSeconds;
  const patienceMs = returnImmediately ? settings.taskCreationDelayMs : seconds > 0 ? seconds * 1000 : undefined;
  return new Promise<RunStop>((resolve) => {
    const undo: (() => void)[] = [];
    let answered = false;
    const answer = (stop: RunStop | Promise<RunStop>): void => {
      if (answered) return;
      answered = true;
      for (const step of undo) step();
      resolve(stop);
    };
    const leave = (): void => answer(asItStands(accepted));
    undo.push(run.onNextStop(stopsBefore, answer));
    if (answered) return;
    if (patienceMs !== undefined) {
      const timer = setTimeout(leave, patienceMs);
      undo.push(() => clearTimeout(timer));
    }
    if (caller !== undefined) undo.push(caller.onGone(leave));
    // A birth that fails is told as the run's stop.
    if (returnImmediately) session.born.then((born) => answer({ kind: 'task', snapshot: born })).catch(() => undefined);
  });
}

async function asItStands({ session, run, stopsBefore }: AcceptedMessage): Promise<RunStop> {
  const snapshot = await session.materialise().catch(() => undefined);
  // There is no task when the run has answered with a message, or when it could not be stored: both are its stop.
  return snapshot === undefined ? run.nextStop(stopsBefore).promise : { kind: 'task', snapshot };
}
