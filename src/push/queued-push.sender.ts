import type { ObserverReports } from '../a2a.observer-reports.js';
import { DeliverySlots } from './delivery-slots.js';
import { lineName, PushLine } from './push-line.js';
import type { PushLog } from './push-log.js';
import type { PushDelivery, PushVerdict } from './push-delivery.js';
import type { PushNotification, PushTarget } from './push-notification.js';
import { PushNotificationSender, type PushGauges } from './push-notification-sender.js';
import type { PushSettings } from './push.options.js';

/** A receiver that takes longer is held to fewer slots. */
const QUICK_MS = 1_000;

/** What the sender needs. */
export interface QueuedPushSenderServices {
  readonly settings: PushSettings;
  readonly delivery: Pick<PushDelivery, 'attempt' | 'close'>;
  readonly reports: ObserverReports;
  readonly log: PushLog;
  /** For tests: 0 to 1, as `Math.random`. */
  readonly random?: () => number;
}

/** Delivers from bounded queues in this process, apart from the executions. */
export class QueuedPushSender extends PushNotificationSender {
  private readonly lines = new Map<string, PushLine>();
  // Those that hold artifact updates, the one whose receiver has taken nothing for longest first.
  private readonly droppable = new Set<PushLine>();
  private readonly overflowing = new Set<PushLine>();
  private readonly slots: DeliverySlots<PushLine>;
  private queued = 0;
  private bytes = 0;
  private closed = false;
  private full = false;
  private whenEmpty: (() => void) | undefined;

  constructor(private readonly services: QueuedPushSenderServices) {
    super();
    this.slots = new DeliverySlots(services.settings.concurrency, (line) => void this.deliver(line));
  }

  override send(notification: PushNotification): void {
    if (this.closed) return;
    const line = this.lineOf(notification.target);
    if (line.disabled || line.ended) return;
    this.change(line, () => line.push(notification));
    this.makeRoom(line);
    this.services.reports.tell((observer) => observer.pushQueueDepth?.(this.queued));
    this.next(line);
  }

  override end(target: PushTarget): void {
    const line = this.lines.get(lineName(target));
    if (line === undefined) return;
    line.ended = true;
    this.forgetWhenDone(line);
  }

  override cancel(target: PushTarget): void {
    const line = this.lines.get(lineName(target));
    if (line === undefined) return;
    this.lines.delete(line.name);
    this.clear(line);
  }

  override gauges(): PushGauges {
    return { queued: this.queued, bytes: this.bytes, inFlight: this.slots.taken };
  }

  override async drain(): Promise<void> {
    if (this.queued > 0) await this.untilEmpty(this.services.settings.drainSeconds * 1000);
    this.closed = true;
    if (this.queued > 0) this.services.log.undelivered(this.queued);
    for (const line of this.lines.values()) this.clear(line);
    this.lines.clear();
    await this.services.delivery.close();
  }

  private lineOf(target: PushTarget): PushLine {
    const name = lineName(target);
    let line = this.lines.get(name);
    if (line === undefined) this.lines.set(name, (line = new PushLine(target)));
    return line;
  }

  /** Brings the first in the line on its way, unless it is already. */
  private next(line: PushLine): void {
    if (line.busy || line.first === undefined) return;
    this.change(line, () => (line.attempts = 1));
    this.slots.request(line.target.origin, line);
  }

  private async deliver(line: PushLine): Promise<void> {
    const { first } = line;
    const aborter = new AbortController();
    line.inFlight = aborter;
    const started = performance.now();
    let verdict: PushVerdict = { kind: 'gone' };
    if (first !== undefined) verdict = await this.services.delivery.attempt(first, aborter.signal);
    line.inFlight = undefined;
    const canceled = aborter.signal.aborted;
    if (!canceled) this.settle(line, verdict);
    this.slots.release(line.target.origin, canceled || verdict.kind === 'gone' ? undefined : this.isQuick(started));
    this.checkEmpty();
  }

  /** Whether a receiver can be relied on to give its slot back soon, well or not. */
  private isQuick(started: number): boolean {
    return performance.now() - started < Math.min(QUICK_MS, this.services.settings.timeoutMs / 2);
  }

  private settle(line: PushLine, verdict: PushVerdict): void {
    const { maxAttempts } = this.services.settings;
    switch (verdict.kind) {
      case 'gone':
        return this.cancel(line.target);
      case 'delivered':
        line.lostInRow = 0;
        this.overflowing.delete(line);
        break;
      case 'retry':
        if (line.attempts < maxAttempts) return this.retryLater(line, verdict.afterMs ?? 0);
        this.lose(line, `${verdict.reason}, ${maxAttempts} attempts`);
        break;
      case 'lost':
        this.lose(line, verdict.reason);
    }
    if (line.disabled) return this.forgetWhenDone(line);
    this.change(line, () => line.shift());
    this.moveBack(line);
    this.next(line);
    this.forgetWhenDone(line);
  }

  private retryLater(line: PushLine, leastMs: number): void {
    const { retryDelaysMs, jitter } = this.services.settings;
    const { random = Math.random } = this.services;
    const pause = retryDelaysMs[Math.min(line.attempts, retryDelaysMs.length) - 1] ?? 0;
    const delay = Math.max(leastMs, pause) * (1 + jitter * random());
    line.attempts++;
    line.pause = setTimeout(() => {
      line.pause = undefined;
      this.slots.request(line.target.origin, line);
    }, delay).unref();
  }

  private lose(line: PushLine, reason: string): void {
    const { log, settings } = this.services;
    line.lostInRow++;
    this.tellLost(line);
    if (line.first?.kind === 'end') log.endLost(line.target, reason);
    if (line.lostInRow < settings.disableAfterLostEvents) return;
    log.disabled(line.target, line.lostInRow, reason);
    line.disabled = true;
    this.clear(line);
  }

  /** Drops what matters least until the bounds hold again. What ends a task is never dropped. */
  private makeRoom(line: PushLine): void {
    const { maxQueuedPerConfig, maxQueuedTotal, maxQueuedBytes } = this.services.settings;
    while (line.length > maxQueuedPerConfig) {
      if (!this.overflowing.has(line)) this.services.log.overflow(line.target);
      this.overflowing.add(line);
      if (!this.drop(line, 'any')) break;
    }
    if (this.queued < maxQueuedTotal / 2 && this.bytes < maxQueuedBytes / 2) this.full = false;
    while (this.queued > maxQueuedTotal || this.bytes > maxQueuedBytes) {
      if (!this.full) this.services.log.full(this.queued);
      this.full = true;
      const [stuck = line] = this.droppable;
      if (!this.drop(stuck, 'artifact') && !this.drop(line, 'any')) return;
    }
  }

  private drop(line: PushLine, what: 'artifact' | 'any'): boolean {
    const dropped = this.change(line, () => line.dropArtifact() ?? (what === 'any' ? line.dropAny() : undefined));
    if (dropped === undefined) return false;
    this.tellLost(line);
    return true;
  }

  private tellLost({ target }: PushLine): void {
    this.services.reports.tell((observer) => observer.pushLost?.(target.key, target.configId));
  }

  /** Drops everything of a line that gets nothing any more. */
  private clear(line: PushLine): void {
    this.slots.withdraw(line.target.origin, line);
    line.inFlight?.abort();
    this.change(line, () => line.clear());
    this.overflowing.delete(line);
    this.checkEmpty();
  }

  private forgetWhenDone(line: PushLine): void {
    if (line.length > 0) return;
    const remembers = line.disabled || line.lostInRow > 0;
    if ((line.ended || !remembers) && this.lines.get(line.name) === line) this.lines.delete(line.name);
    this.overflowing.delete(line);
    this.checkEmpty();
  }

  /** Changes what a line holds, and counts it. */
  private change<T>(line: PushLine, action: () => T): T {
    const { length, bytes } = line;
    const result = action();
    this.queued += line.length - length;
    this.bytes += line.bytes - bytes;
    if (!line.holdsArtifacts) this.droppable.delete(line);
    else this.droppable.add(line);
    return result;
  }

  private moveBack(line: PushLine): void {
    if (this.droppable.delete(line)) this.droppable.add(line);
  }

  private untilEmpty(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      // Not unref'd: the process has to stay for what is still to be sent.
      const timer = setTimeout(resolve, milliseconds);
      this.whenEmpty = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private checkEmpty(): void {
    if (this.queued === 0) this.whenEmpty?.();
  }
}
