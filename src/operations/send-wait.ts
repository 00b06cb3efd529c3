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
  const { session, snapshot } = accepted;
  const { returnImmediately, settings, caller } = options;
  if (returnImmediately && snapshot !== undefined) return Promise.resolve({ kind: 'task', snapshot });

  const seconds = settings.agentTimeoutSeconds;
  const patienceMs = returnImmediately ? settings.taskCreationDelayMs : seconds > 0 ? seconds * 1000 : undefined;
  return new Promise<RunStop>((resolve) => {
    const wait = new SendWait(accepted, resolve);
    wait.begin(patienceMs, caller);
    // A birth that fails is told as the run's stop.
    if (returnImmediately) session.born.then((born) => wait.end({ kind: 'task', snapshot: born })).catch(ignore);
  });
}

/** One sender who waits: for whatever comes first. */
class SendWait {
  private over = false;
  private timer: NodeJS.Timeout | undefined;
  private forgetStop: (() => void) | undefined;
  private forgetCaller: (() => void) | undefined;

  constructor(
    private readonly accepted: AcceptedMessage,
    private readonly answer: (stop: RunStop | Promise<RunStop>) => void,
  ) {}

  begin(patienceMs: number | undefined, caller: CallerPresence | undefined): void {
    const { run, stopsBefore } = this.accepted;
    this.forgetStop = run.onNextStop(stopsBefore, (stop) => this.end(stop));
    if (this.over) return;
    const leave = (): void => this.end(asItStands(this.accepted));
    if (patienceMs !== undefined) this.timer = setTimeout(leave, patienceMs);
    this.forgetCaller = caller?.onGone(leave);
  }

  end(stop: RunStop | Promise<RunStop>): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.timer);
    this.forgetStop?.();
    this.forgetCaller?.();
    this.answer(stop);
  }
}

async function asItStands({ session, run, stopsBefore }: AcceptedMessage): Promise<RunStop> {
  const snapshot = await session.materialise().catch(() => undefined);
  // There is no task when the run has answered with a message, or when it could not be stored: both are its stop.
  return snapshot === undefined ? run.nextStop(stopsBefore).promise : { kind: 'task', snapshot };
}

function ignore(): void {}
