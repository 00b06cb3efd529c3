import { taskKeyString } from '../tasks/task-record.js';
import type { PushNotification, PushTarget } from './push-notification.js';

/** The name of a line, for maps. The length of the first part keeps the two apart, whatever clients call a config. */
export function lineName({ key, configId }: PushTarget): string {
  const task = taskKeyString(key);
  return `${task.length}|${task}${configId}`;
}

/** What waits for one config, in order, and how its deliveries went. */
export class PushLine {
  readonly name: string;
  /** Attempts made for the first in the line. */
  attempts = 0;
  /** Events lost since the last one that arrived. */
  lostInRow = 0;
  /** Gets nothing any more. */
  disabled = false;
  /** Nothing more will be added. */
  ended = false;
  /** Ends the request that is under way. */
  inFlight: AbortController | undefined;
  /** The pause before the next attempt. */
  pause: NodeJS.Timeout | undefined;
  private readonly waiting: PushNotification[] = [];
  private artifacts = 0;
  private held = 0;

  constructor(readonly target: PushTarget) {
    this.name = lineName(target);
  }

  get length(): number {
    return this.waiting.length;
  }

  get bytes(): number {
    return this.held;
  }

  get first(): PushNotification | undefined {
    return this.waiting[0];
  }

  /** True when the first in the line is on its way, waits for its next attempt, or for its turn. */
  get busy(): boolean {
    return this.attempts > 0;
  }

  /** Whether there is an artifact update that may be dropped. */
  get holdsArtifacts(): boolean {
    return this.artifacts > (this.busy && this.first?.kind === 'artifact' ? 1 : 0);
  }

  push(notification: PushNotification): void {
    this.waiting.push(notification);
    this.count(notification, 1);
  }

  /** Takes the first away: it is delivered or lost. */
  shift(): void {
    const first = this.waiting.shift();
    if (first) this.count(first, -1);
    this.attempts = 0;
  }

  /** Drops the oldest artifact update. @returns it, if there was one */
  dropArtifact(): PushNotification | undefined {
    return this.holdsArtifacts ? this.dropFirst(({ kind }) => kind === 'artifact') : undefined;
  }

  /** Drops the oldest of those that do not end the task. @returns it, if there was one */
  dropAny(): PushNotification | undefined {
    return this.dropFirst(({ kind }) => kind !== 'end');
  }

  /** Drops everything. @returns how many */
  clear(): number {
    const { length } = this.waiting;
    this.waiting.length = 0;
    this.artifacts = 0;
    this.held = 0;
    this.attempts = 0;
    clearTimeout(this.pause);
    this.pause = undefined;
    return length;
  }

  private dropFirst(matches: (notification: PushNotification) => boolean): PushNotification | undefined {
    // The first one may have arrived already, without our knowing.
    const from = this.busy ? 1 : 0;
    const index = this.waiting.findIndex((notification, at) => at >= from && matches(notification));
    if (index < 0) return undefined;
    const [dropped] = this.waiting.splice(index, 1);
    if (dropped) this.count(dropped, -1);
    return dropped;
  }

  private count({ kind, bytes }: PushNotification, sign: 1 | -1): void {
    this.held += sign * bytes;
    if (kind === 'artifact') this.artifacts += sign;
  }
}
