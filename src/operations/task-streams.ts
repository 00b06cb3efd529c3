import { isTerminal, TaskState, UnsupportedOperationError } from 'nestjs-a2a/protocol';
import { Observable } from 'rxjs';
import type { A2ASettings } from '../a2a.options.js';
import type { TaskEventBus } from '../events/task-event-bus.js';
import type { AcceptedMessage } from '../execution/accepted-message.js';
import type { TaskSession } from '../execution/task-session.js';
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
  ofMessage(accepted: AcceptedMessage): Observable<StreamFrame> {
    const { session, run, snapshot, stopsBefore } = accepted;
    const { key } = session.identity;
    session.watch();
    return new Observable<StreamFrame>((reader) => {
      const leave = this.readers.enter(key);
      const kept = session.takeEvents();
      const first = (kept === undefined ? this.beginning(session, snapshot?.sequence ?? 0) : undefined) ?? snapshot;
      if (first !== undefined) reader.next(this.taskFrame(first));
      if (first !== undefined && this.endsAt(first.state, accepted)) {
        leave();
        return reader.complete();
      }
      const seen = first?.sequence ?? 0;
      const events = (kept ?? this.bus.subscribe(key, seen)).subscribe({
        next: (event) => {
          if (event.sequence <= seen) return;
          reader.next(event);
          if (this.endsAt(event.state, accepted)) reader.complete();
        },
        error: (error: unknown) => reader.error(error),
        complete: () => reader.complete(),
      });
      const waiter = run.nextStop(stopsBefore);
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
  ofTask(session: TaskSession): Observable<StreamFrame> {
    const { snapshot } = session;
    if (snapshot === undefined || snapshot.ended) {
      throw new UnsupportedOperationError(`The task is ${snapshot?.state ?? 'gone'}: nothing more will happen to it`);
    }
    this.checkRoom(session.identity.key);
    return this.follow(session, snapshot.sequence, snapshot);
  }

  /**
   * The stream of a subscriber who was cut off: only what it missed, or undefined when that is not to be had any more.
   */
  async resumed(session: TaskSession, after: number): Promise<Observable<StreamFrame> | undefined> {
    const { key } = session.identity;
    const latest = session.snapshot?.sequence ?? 0;
    // Who has seen the end has missed nothing, and a stream has at least one frame.
    const sawTheEnd = session.snapshot?.ended === true && after === latest;
    if (sawTheEnd || after > latest || !(await this.bus.covers(key, after, latest))) return undefined;
    this.checkRoom(key);
    return this.follow(session, after, undefined);
  }

  /** Whether a sender's stream ends here. A question of the run before is none to a message that waits for its turn. */
  private endsAt(state: TaskState, { session, run }: AcceptedMessage): boolean {
    if (isTerminal(state)) return true;
    if (state !== TaskState.INPUT_REQUIRED || !this.settings.closeStreamOnInputRequired) return false;
    return session.run === run || !run.mayEmit;
  }

  private checkRoom(key: TaskKey): void {
    this.readers.checkRoom(key, this.settings.maxSubscribersPerTask);
  }

  private follow(session: TaskSession, after: number, snapshot: TaskSnapshot | undefined): Observable<StreamFrame> {
    const { key } = session.identity;
    session.watch();
    return new Observable<StreamFrame>((reader) => {
      const leave = this.readers.enter(key);
      const first = this.beginning(session, after) ?? snapshot;
      if (first !== undefined) reader.next(this.taskFrame(first));
      if (first?.ended) {
        leave();
        return reader.complete();
      }
      const events = this.bus.subscribe(key, first?.sequence ?? after).subscribe(reader);
      return () => {
        events.unsubscribe();
        leave();
      };
    });
  }

  /**
   * The task as it is at the time of subscribing, when the bus has dropped events since the reader's `after`: what
   * happens between a call's answer and its subscription must not be lost, the end least of all.
   */
  private beginning({ identity, snapshot, published }: TaskSession, after: number): TaskSnapshot | undefined {
    // What is stored and not yet published is still to come.
    if (snapshot === undefined || published <= after) return undefined;
    return this.bus.covers(identity.key, after, published) === false ? snapshot : undefined;
  }

  private taskFrame(snapshot: TaskSnapshot): StreamFrame {
    const task = snapshot.toPublicTask(this.settings.historyMaxRawBytes);
    return { sequence: snapshot.sequence, json: JSON.stringify({ task }), last: snapshot.ended };
  }

  private silenceMs(): number {
    const heartbeat = this.settings.heartbeatIntervalSeconds * 1000;
    return heartbeat > 0 ? Math.min(heartbeat, MAX_SILENCE_MS) : MAX_SILENCE_MS;
  }
}
