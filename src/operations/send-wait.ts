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
export async function waitForAnswer(accepted: AcceptedMessage, options: SendWaitOptions): Promise<RunStop> {
  const { session, run, snapshot, stopsBefore } = accepted;
  const { returnImmediately, settings, caller } = options;
  if (returnImmediately && snapshot !== undefined) return { kind: 'task', snapshot };

  const seconds = settings.agentTimeoutSeconds;
  const patienceMs = returnImmediately ? settings.taskCreationDelayMs : seconds > 0 ? seconds * 1000 : undefined;
  let timer: NodeJS.Timeout | undefined;
  let stay: (() => void) | undefined;
  let cancel: (() => void) | undefined;
  const answer = await new Promise<RunStop | undefined>((resolve) => {
    const leave = (): void => resolve(undefined);
    if (patienceMs !== undefined) timer = setTimeout(leave, patienceMs);
    stay = caller?.onGone(leave);
    cancel = run.onNextStop(stopsBefore, resolve);
    // A birth that fails is told as the run's stop.
    if (returnImmediately)
      session.born.then((born) => resolve({ kind: 'task', snapshot: born })).catch(() => undefined);
  });
  clearTimeout(timer);
  stay?.();
  cancel?.();
  return answer ?? asItStands(accepted);
}

async function asItStands({ session, run, stopsBefore }: AcceptedMessage): Promise<RunStop> {
  const snapshot = await session.materialise().catch(() => undefined);
  // There is no task when the run has answered with a message, or when it could not be stored: both are its stop.
  return snapshot === undefined ? run.nextStop(stopsBefore).promise : { kind: 'task', snapshot };
}
