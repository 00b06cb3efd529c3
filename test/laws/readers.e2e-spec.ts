import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { A2AObserver, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { hurried, rpc } from '../support/a2a-calls.js';
import { at, jsonOf, send, textAt } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type AdapterName } from '../support/running-app.js';
import { ReaderCrowd, type ReaderReport } from './reader-crowd.js';
import { PATIENCE_MS, scaled } from './scale.js';

const READERS = 64;
const signals = new EventEmitter();

/** Emits what the message asks for, as fast as it is let, once the readers are there. */
class ChunkExecutor extends AgentExecutor {
  override async execute({ text }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const [count = 0, length = 0] = text.split(' ').map(Number);
    await emitter.working();
    await once(signals, 'begin');
    const chunk = 'x'.repeat(length);
    for (let n = 0; n < count; n++) await emitter.text(chunk);
    await emitter.complete();
  }
}

class CutWatcher extends A2AObserver {
  cuts = 0;

  override readerCut(): void {
    this.cuts++;
    signals.emit('cut');
  }
}

interface Crowd {
  readonly events: number;
  readonly bytesEach: number;
  readonly stalled: number;
  /** Called when all readers are there, before the first of the events. */
  readonly ready?: () => void;
}

interface Outcome {
  readonly reports: readonly ReaderReport[];
  readonly cuts: number;
  readonly delayP99Ms: number;
  readonly seconds: number;
  /** The number of the task's last event. */
  readonly end: number;
}

async function readByCrowd(adapter: AdapterName, { events, bytesEach, stalled, ready }: Crowd): Promise<Outcome> {
  const watcher = new CutWatcher();
  const { url, close } = await start(
    adapter,
    probeModule({
      executor: ChunkExecutor,
      maxTaskBytes: 2 ** 30,
      providers: [{ provide: A2AObserver, useValue: watcher }],
    }),
  );
  let crowd: ReaderCrowd | undefined;
  try {
    const id = textAt((await send(url, rpc('SendMessage', hurried(`${events} ${bytesEach}`)))).body, 'result.task.id');
    crowd = await ReaderCrowd.open(url, id, READERS, stalled);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    const begun = performance.now();
    const woken = crowd;
    signals.once('cut', () => woken.wake());
    ready?.();
    delay.enable();
    signals.emit('begin');
    const reports = await crowd.reports();
    delay.disable();
    const seconds = (performance.now() - begun) / 1000;
    return { reports, cuts: watcher.cuts, delayP99Ms: delay.percentile(99) / 1e6, seconds, end: events + 3 };
  } finally {
    crowd?.stop();
    signals.removeAllListeners('cut');
    await close();
  }
}

afterEach(() => void jest.restoreAllMocks());

describe.each(ADAPTERS)(`${READERS} readers of one task, on %s`, (adapter) => {
  it(
    'of which one reads nothing: it is cut, alone, and the loop turns on (laws 1 and 2)',
    async () => {
      const load = { events: scaled(3_000, 50_000), bytesEach: scaled(3_000, 200), stalled: 1 };
      const { reports, cuts, delayP99Ms, seconds, end } = await readByCrowd(adapter, load);
      process.stdout.write(
        `${adapter}: ${load.events} events to ${READERS} readers in ${seconds.toFixed(1)} s, ` +
          `event loop delay p99 ${delayP99Ms.toFixed(1)} ms\n`,
      );
      const [slow, ...healthy] = reports;
      expect(healthy.filter(({ disorder, error }) => disorder !== '' || error !== '')).toEqual([]);
      expect(healthy.map(({ last, clean }) => [last, clean])).toEqual(healthy.map(() => [end, true]));
      expect(cuts).toBe(1);
      expect(slow).toMatchObject({ disorder: '', clean: true, error: '' });
      expect(slow?.last).toBeLessThan(end);
      const [event = '', data = ''] = slow?.lastFrame.split('\n') ?? [];
      expect(event).toBe('event: error');
      expect(at(jsonOf(data.slice('data: '.length)), 'error.data.0.reason')).toBe('RESOURCE_EXHAUSTED');
      // Beside other suites the delay is theirs as well: what it is by itself shows the full size, which runs alone.
      expect(delayP99Ms).toBeLessThan(scaled(5_000, 250));
    },
    PATIENCE_MS,
  );

  it(
    'cost one serialisation an event (law 7)',
    async () => {
      const events = scaled(500, 5_000);
      const written: unknown[] = [];
      const ready = (): void => {
        const stringify = JSON.stringify;
        jest.spyOn(JSON, 'stringify').mockImplementation((...args: unknown[]) => {
          written.push(args[0]);
          return Reflect.apply(stringify, JSON, args);
        });
      };
      const { reports, end } = await readByCrowd(adapter, { events, bytesEach: 20, stalled: 0, ready });
      expect(reports.map(({ last }) => last)).toEqual(reports.map(() => end));
      // The readers have joined at WORKING, the second event; every later one is an update of its own.
      expect(written.length).toBe(end - 2);
      expect(written.filter((value) => at(value, 'artifactUpdate') !== undefined)).toHaveLength(events);
    },
    PATIENCE_MS,
  );
});
