import type { A2AObserver } from '../../src/a2a.observer.js';
import { ObserverReports } from '../../src/a2a.observer-reports.js';
import type { PushVerdict } from '../../src/push/push-delivery.js';
import { PushLog } from '../../src/push/push-log.js';
import type { PushNotification, PushTarget } from '../../src/push/push-notification.js';
import { PUSH_DEFAULTS } from '../../src/push/push-settings.js';
import type { PushSettings } from '../../src/push/push.options.js';
import { QueuedPushSender } from '../../src/push/queued-push.sender.js';

/** A config by a short name; those with the same first letter have the same receiver. */
export function targetOf(configId: string, task = 't1'): PushTarget {
  return {
    key: { agent: '', tenant: '', id: task },
    configId,
    origin: `https://${configId.charAt(0)}.example`,
  };
}

export function notificationOf(
  target: PushTarget,
  sequence: number,
  kind: PushNotification['kind'] = 'status',
  bytes = 10,
): PushNotification {
  return { target, sequence, kind, bytes, json: `{"n":${sequence}}` };
}

/** One attempt that a test answers. */
export interface Attempt {
  readonly name: string;
  readonly signal: AbortSignal;
  answer(verdict: PushVerdict): void;
}

/** A sender whose deliveries are answered by the test, or by a function. */
export class PushBench {
  readonly attempts: Attempt[] = [];
  readonly lost: string[] = [];
  readonly depths: number[] = [];
  readonly logs: string[] = [];
  readonly sender: QueuedPushSender;
  closed = false;
  /** Answers attempts at once; without it the test does. */
  answers: ((name: string) => PushVerdict) | undefined;

  constructor(settings: Partial<PushSettings> = {}, random = 0) {
    const warn = (text: unknown): void => void this.logs.push(String(text));
    const observer: A2AObserver = {
      pushLost: ({ id }, configId) => void this.lost.push(`${id}/${configId}`),
      pushQueueDepth: (waiting) => void this.depths.push(waiting),
    };
    this.sender = new QueuedPushSender({
      settings: { ...PUSH_DEFAULTS, ...settings },
      delivery: {
        attempt: (notification, signal) => this.attempt(notification, signal),
        close: async () => this.close(),
      },
      reports: new ObserverReports(observer, { observerFailed: warn }),
      log: new PushLog({ log: warn, warn, error: warn }),
      random: () => random,
    });
  }

  /** What was attempted, in order: `config/sequence`. */
  get names(): string[] {
    return this.attempts.map(({ name }) => name);
  }

  send(target: PushTarget, ...sequences: number[]): void {
    for (const sequence of sequences) this.sender.send(notificationOf(target, sequence));
  }

  /** Answers the latest attempt, and lets what follows from it happen. */
  async answer(verdict: PushVerdict['kind'] | PushVerdict): Promise<void> {
    const full = typeof verdict === 'string' ? verdictOf(verdict) : verdict;
    this.attempts.at(-1)?.answer(full);
    await settled();
  }

  private attempt({ target, sequence }: PushNotification, signal: AbortSignal): Promise<PushVerdict> {
    const name = `${target.configId}/${sequence}`;
    return new Promise((resolve) => {
      this.attempts.push({ name, signal, answer: resolve });
      signal.addEventListener('abort', () => resolve({ kind: 'gone' }), { once: true });
      if (this.answers) resolve(this.answers(name));
    });
  }

  private close(): void {
    this.closed = true;
  }
}

/** Lets promises that are resolved do what they are for. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

function verdictOf(kind: PushVerdict['kind']): PushVerdict {
  return kind === 'lost' || kind === 'retry' ? { kind, reason: 'status 500' } : { kind };
}
