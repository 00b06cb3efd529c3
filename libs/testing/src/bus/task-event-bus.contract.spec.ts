import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RxJsTaskEventBus, TaskEventBus, type TaskEvent, type TaskKey } from 'nestjs-a2a';
import type { A2AError } from 'nestjs-a2a/protocol';
import { runTaskEventBusContract } from 'nestjs-a2a/testing';
import { map, Observable, takeWhile } from 'rxjs';
import { CollectingRunner } from '../../../../test/support/collecting-runner.js';

const shutDown = (bus: TaskEventBus): void => {
  if (bus instanceof RxJsTaskEventBus) bus.onApplicationShutdown();
};

// What subscribers throw on purpose is logged.
beforeAll(() => void jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined));
afterAll(() => void jest.restoreAllMocks());

runTaskEventBusContract({
  describe,
  it,
  name: 'RxJsTaskEventBus keeps the TaskEventBus contract',
  create: () => new RxJsTaskEventBus(),
  destroy: shutDown,
});

/** A bus like {@link RxJsTaskEventBus} in all that a mutant or a slow one leaves as it is. */
class View extends TaskEventBus {
  protected readonly inner = new RxJsTaskEventBus();

  override publish(key: TaskKey, event: TaskEvent): void | Promise<void> {
    this.inner.publish(key, event);
  }

  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return this.inner.subscribe(key, after);
  }

  override covers(key: TaskKey, after: number, latest: number): boolean | Promise<boolean> {
    return this.inner.covers(key, after, latest);
  }

  override fail(key: TaskKey, error: A2AError): void {
    this.inner.fail(key, error);
  }

  override release(key: TaskKey): void {
    this.inner.release(key);
  }

  override gauges(): ReturnType<TaskEventBus['gauges']> {
    return this.inner.gauges();
  }
}

const PAUSE_MILLIS = 2;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));

/** Says yes to everything at once and does it later, in order, as a bus behind a network. */
class SlowBus extends View {
  private work = Promise.resolve();

  override publish(key: TaskKey, event: TaskEvent): Promise<void> {
    return (this.work = this.work.then(pause).then(() => this.inner.publish(key, event)));
  }

  override fail(key: TaskKey, error: A2AError): void {
    this.work = this.work.then(pause).then(() => this.inner.fail(key, error));
  }

  override async covers(key: TaskKey, after: number, latest: number): Promise<boolean> {
    await this.work;
    return this.inner.covers(key, after, latest);
  }

  /** Resolves when all that it said yes to is done. */
  async rest(): Promise<void> {
    for (let done; done !== this.work;) await (done = this.work);
  }
}

let slow = new SlowBus();

runTaskEventBusContract({
  describe,
  it,
  name: 'a slow bus keeps the TaskEventBus contract',
  create: () => (slow = new SlowBus()),
  settle: () => slow.rest(),
  windowEvents: 40,
  timeoutMillis: 20_000,
});

class SwapsTwo extends View {
  private held: TaskEvent | undefined;

  override publish(key: TaskKey, event: TaskEvent): void {
    if (event.sequence === 2) {
      this.held = event;
      return;
    }
    this.inner.publish(key, event);
    if (this.held) this.inner.publish(key, this.held);
  }
}

class NeverEnds extends View {
  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return new Observable((subscriber) =>
      this.inner.subscribe(key, after).subscribe({
        next: (event) => subscriber.next(event),
        error: (error: unknown) => subscriber.error(error),
      }),
    );
  }
}

class EndsWhenInputIsRequired extends View {
  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return this.inner.subscribe(key, after).pipe(takeWhile(({ state }) => !state.endsWith('REQUIRED'), true));
  }
}

class ForgetsTheTenant extends View {
  override publish(key: TaskKey, event: TaskEvent): void {
    this.inner.publish({ ...key, tenant: '' }, event);
  }

  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return this.inner.subscribe({ ...key, tenant: '' }, after);
  }
}

class ReplaysEverything extends View {
  override subscribe(key: TaskKey): Observable<TaskEvent> {
    return this.inner.subscribe(key, 0);
  }
}

class CoversAlways extends View {
  protected override readonly inner = new RxJsTaskEventBus({ maxReplayEvents: 32 });

  override covers(): boolean {
    return true;
  }
}

class KeepsNothing extends View {
  protected override readonly inner = new RxJsTaskEventBus({ maxReplayEvents: 1 });
}

class FailsInSilence extends View {
  override fail(): void {}
}

class CompletesOnFail extends View {
  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return new Observable((subscriber) =>
      this.inner.subscribe(key, after).subscribe({
        next: (event) => subscriber.next(event),
        error: () => subscriber.complete(),
        complete: () => subscriber.complete(),
      }),
    );
  }
}

class DropsOnRelease extends View {
  protected override readonly inner = new RxJsTaskEventBus({ replayGraceSeconds: 0 });
}

class SerialisesAtOnce extends View {
  override publish(key: TaskKey, event: TaskEvent): void {
    if (event.json.length > 0) this.inner.publish(key, event);
  }
}

class LosesThePayload extends View {
  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return this.inner.subscribe(key, after).pipe(map((event) => Object.assign(Object.create(event), { bytes: 0 })));
  }
}

class CountsNoSubscribers extends View {
  override gauges(): ReturnType<TaskEventBus['gauges']> {
    return { ...this.inner.gauges(), subscribers: 0 };
  }
}

/** The plain way: a set of callbacks. What one throws reaches the writer, and what one publishes overtakes. */
class PlainCallbacks extends View {
  private readonly callbacks = new Map<string, Set<(event: TaskEvent) => void>>();

  override publish(key: TaskKey, event: TaskEvent): void {
    this.inner.publish(key, event);
    for (const callback of this.callbacks.get(key.id) ?? []) callback(event);
  }

  override subscribe(key: TaskKey, after: number): Observable<TaskEvent> {
    return new Observable((subscriber) => {
      const callbacks = this.callbacks.get(key.id) ?? new Set();
      this.callbacks.set(key.id, callbacks);
      const callback = (event: TaskEvent): void => {
        if (event.sequence <= after) return;
        subscriber.next(event);
        if (event.last) subscriber.complete();
      };
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    });
  }
}

class AwaitsOnlyWhoIsThere extends View {
  override awaits(key: TaskKey): boolean {
    return this.inner.awaits(key) && this.inner.gauges().subscribers > 0;
  }
}

interface Mutant {
  readonly name: string;
  readonly make: () => TaskEventBus;
  readonly caught: RegExp;
}

const MUTANTS: readonly Mutant[] = [
  { name: 'events out of order', make: () => new SwapsTwo(), caught: /in order, each once, and completes/ },
  { name: 'streams without an end', make: () => new NeverEnds(), caught: /completes after an event .* .*COMPLETED/ },
  { name: 'streams that end early', make: () => new EndsWhenInputIsRequired(), caught: /stays open .*INPUT_REQUIRED/ },
  { name: 'mixed tenants', make: () => new ForgetsTheTenant(), caught: /keeps agents, tenants and ids apart/ },
  { name: 'events that come twice', make: () => new ReplaysEverything(), caught: /gives one who has seen 3 of 3/ },
  { name: 'a promise it cannot keep', make: () => new CoversAlways(), caught: /covers no more than it replays/ },
  { name: 'too small a window', make: () => new KeepsNothing(), caught: /gives one who has seen 0 of 3/ },
  { name: 'a silent failure', make: () => new FailsInSilence(), caught: /fail ends the subscriptions/ },
  {
    name: 'a failure that looks like an end',
    make: () => new CompletesOnFail(),
    caught: /fail ends the subscriptions/,
  },
  { name: 'a window that goes with release', make: () => new DropsOnRelease(), caught: /release takes nothing/ },
  { name: 'no thought of who comes back', make: () => new AwaitsOnlyWhoIsThere(), caught: /awaits the events/ },
  { name: 'JSON that nobody reads', make: () => new SerialisesAtOnce(), caught: /makes no JSON/ },
  { name: 'events that lose something', make: () => new LosesThePayload(), caught: /hands an event over as it is/ },
  { name: 'gauges that read zero', make: () => new CountsNoSubscribers(), caught: /counts subscribers/ },
  { name: 'no replay at all', make: () => new PlainCallbacks(), caught: /loses and repeats nothing/ },
  { name: 'faults that end the process', make: () => new PlainCallbacks(), caught: /nothing that a subscriber throws/ },
  { name: 'events that overtake', make: () => new PlainCallbacks(), caught: /publishes from inside a delivery/ },
];

describe('runTaskEventBusContract', () => {
  it.each(MUTANTS)('finds $name', async ({ make, caught }) => {
    const runner = new CollectingRunner();
    runTaskEventBusContract({ ...runner, create: make, patienceMillis: 5, windowEvents: 100 });
    const failed = [...(await runner.failures()).keys()];
    expect(failed).toContainEqual(expect.stringMatching(caught));
    expect(failed.length).toBeLessThan(runner.names.length);
  });

  it('does not ask a bus that serialises for lazy JSON', async () => {
    const runner = new CollectingRunner();
    runTaskEventBusContract({ ...runner, create: () => new SerialisesAtOnce(), serialises: true, windowEvents: 100 });
    expect(await runner.failures()).toEqual(new Map());
  });
});
