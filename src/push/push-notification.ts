import type { TaskEvent } from '../events/task-event.js';
import type { TaskKey } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';

/**
 * A config, by what tells it from every other.
 *
 * @publicApi
 */
export interface PushTarget {
  readonly key: TaskKey;
  readonly configId: string;
  /** Scheme, host and port of the receiver: those of one receiver share its fate when it is slow. */
  readonly origin: string;
}

/**
 * One event on its way to one config. Holds no secret: whoever sends it reads the config from the store.
 *
 * @publicApi
 */
export interface PushNotification {
  readonly target: PushTarget;
  /** The number of the task's event. */
  readonly sequence: number;
  /** What it tells: the least important ones leave first when there is no room. */
  readonly kind: 'artifact' | 'status' | 'end';
  /** Roughly the size of the payload. */
  readonly bytes: number;
  /** A `StreamResponse` as JSON: made once for all receivers of an event. */
  readonly json: string;
}

/** A task's event for one config. */
export class EventNotification implements PushNotification {
  constructor(
    readonly target: PushTarget,
    private readonly event: TaskEvent,
  ) {}

  get sequence(): number {
    return this.event.sequence;
  }

  get kind(): PushNotification['kind'] {
    if (this.event.last) return 'end';
    return 'artifactUpdate' in this.event.payload ? 'artifact' : 'status';
  }

  get bytes(): number {
    return this.event.bytes;
  }

  // Not before it is sent: what is dropped is never serialised.
  get json(): string {
    return this.event.json;
  }
}

/** The task as it is, for a config that comes late. */
export class SnapshotNotification implements PushNotification {
  constructor(
    readonly target: PushTarget,
    private readonly snapshot: TaskSnapshot,
    private readonly maxRawBytes: number,
  ) {}

  get sequence(): number {
    return this.snapshot.sequence;
  }

  get kind(): PushNotification['kind'] {
    return this.snapshot.ended ? 'end' : 'status';
  }

  get bytes(): number {
    return this.snapshot.bytes;
  }

  get json(): string {
    return JSON.stringify({ task: this.snapshot.toPublicTask(this.maxRawBytes) });
  }
}
