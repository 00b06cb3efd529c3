import { TaskState, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { Observable } from 'rxjs';
import type { A2ASettings } from '../a2a.options.js';
import type { TaskEventBus } from '../events/task-event-bus.js';
import type { AcceptedMessage } from '../execution/agent-executions.js';
import type { TaskKey } from '../tasks/task-record.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { StreamFrame } from './stream-frame.js';
import { TaskReaders } from './task-readers.js';

const MAX_SILENCE_MS = 15_000;

/** The streams of one agent: what a sender or a subscriber gets to see of a task, frame by frame. */
export class TaskStreams {
  readonly readers = new TaskReaders();

  constructor(
    private readonly bus: TaskEventBus,
    private readonly settings: A2ASettings,
  ) {}

  /** The stream of a message: the Task, then its events; or the one direct message. */
  ofMessage({ session, run, snapshot }: AcceptedMessage): Observable<StreamFrame> {
    const { key } = session.identity;
    return new Observable<StreamFrame>((reader) => {
      const leave = this.readers.enter(key);
      if (snapshot !== undefined) reader.next(this.taskFrame(snapshot));
      const events = this.bus.subscribe(key, snapshot?.sequence ?? 0).subscribe({
        next: (event) => {
          reader.next(event);
          if (event.state === TaskState.INPUT_REQUIRED && this.settings.closeStreamOnInputRequired) reader.complete();
        },
        error: (error: unknown) => reader.error(error),
        complete: () => reader.complete(),
      });
      const waiter = run.nextStop();
      void waiter.promise.then((stop) => {
        if (stop.kind === 'error') reader.error(stop.error);
        if (stop.kind !== 'message') return;
        reader.next({ sequence: undefined, json: JSON.stringify({ message: stop.message }), last: true });
        reader.complete();
      });
      // A caller who hears nothing for long must at least have the task; what cannot be stored ends the stream itself.
      const appear = (): void => void session.materialise().catch(() => undefined);
      const timer = session.snapshot === undefined ? setTimeout(appear, this.silenceMs()) : undefined;
      return () => {
        clearTimeout(timer);
        waiter.cancel();
        events.unsubscribe();
        leave();
        if (session.snapshot === undefined) appear();
      };
    });
  }

  /** The stream of a subscriber: the Task as it is, then its events, to its end. */
  ofTask(key: TaskKey, snapshot: TaskSnapshot): Observable<StreamFrame> {
    if (snapshot.ended) {
      throw new UnsupportedOperationError(`The task is ${snapshot.state}: nothing more will happen to it`);
    }
    this.readers.checkRoom(key, this.settings.maxSubscribersPerTask);
    return this.follow(key, snapshot.sequence, snapshot);
  }

  /**
   * The stream of a subscriber who was cut off: only what it missed, or undefined when that is not to be had any more.
   */
  async resumed(key: TaskKey, snapshot: TaskSnapshot, after: number): Promise<Observable<StreamFrame> | undefined> {
    if (after > snapshot.sequence || !(await this.bus.covers(key, after, snapshot.sequence))) return undefined;
    this.readers.checkRoom(key, this.settings.maxSubscribersPerTask);
    return this.follow(key, after, undefined);
  }

  private follow(key: TaskKey, after: number, snapshot: TaskSnapshot | undefined): Observable<StreamFrame> {
    return new Observable<StreamFrame>((reader) => {
      const leave = this.readers.enter(key);
      if (snapshot !== undefined) reader.next(this.taskFrame(snapshot));
      const events = this.bus.subscribe(key, after).subscribe(reader);
      return () => {
        events.unsubscribe();
        leave();
      };
    });
  }

  private taskFrame(snapshot: TaskSnapshot): StreamFrame {
    const task = snapshot.toPublicTask(this.settings.historyMaxRawBytes);
    return { sequence: snapshot.sequence, json: JSON.stringify({ task }), last: false };
  }

  private silenceMs(): number {
    const heartbeat = this.settings.heartbeatIntervalSeconds * 1000;
    return heartbeat > 0 ? Math.min(heartbeat, MAX_SILENCE_MS) : MAX_SILENCE_MS;
  }
}
