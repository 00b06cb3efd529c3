import 'reflect-metadata';
import { getEventListeners } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics, type A2AGauges } from 'nestjs-a2a';
import { hurried, message, rpc } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, send, textAt } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { countInstances, settledHeap } from './heap-census.js';
import { PATIENCE_MS, scaled } from './scale.js';

const TASKS = scaled(210, 10_000);
const LANES = 16;
const MEBIBYTE = 2 ** 20;
/** What lives only as long as somebody works on a task, or reads one. */
const TRANSIENT = ['TaskSession', 'AgentRun', 'RunContext', 'RunEmitter', 'EventStream'];

type Kind = (url: string) => Promise<void>;

const stream = async (url: string, text: string): Promise<EventClient> =>
  EventClient.open(url, rpc('SendStreamingMessage', message(text)));
const begun = async (url: string, text: string): Promise<string> =>
  textAt((await send(url, rpc('SendMessage', hurried(text)))).body, 'result.task.id');

/** A task of every kind: how it ends, who watches, who leaves. */
const KINDS: readonly Kind[] = [
  async (url) => void (await send(url, rpc('SendMessage', message('echo hi')))),
  async (url) => void (await send(url, rpc('SendMessage', message('message hi')))),
  async (url) => void (await send(url, rpc('SendMessage', message('fail on purpose')))),
  async (url) => void (await send(url, rpc('SendMessage', message('throw it')))),
  async (url) => void (await send(url, rpc('SendMessage', message('reject it')))),
  async (url) => void (await send(url, rpc('SendMessage', hurried('late 5')))),
  async (url) => void (await send(url, rpc('SendMessage', message('afterlife')))),
  async (url) => void (await send(url, { ...rpc('SendMessage', {}), body: '{"broken' })),
  async (url) => void (await send(url, rpc('GetTask', { id: 'none' }))),
  async (url) => void (await (await stream(url, 'burst 20')).ended),
  async (url) => {
    const reader = await stream(url, 'slow 100 1000');
    await reader.frameCount(2);
    reader.leave();
    await send(url, rpc('CancelTask', { id: textAt(reader.frames[0]?.data, 'result.task.id') }));
  },
  async (url) => {
    const id = await begun(url, 'slow 100 1000');
    const reader = await EventClient.open(url, rpc('SubscribeToTask', { id }));
    await reader.frameCount(1);
    await Promise.all([send(url, rpc('CancelTask', { id })), send(url, rpc('CancelTask', { id }))]);
    await reader.ended;
    await (
      await EventClient.open(url, rpc('SubscribeToTask', { id }, { 'last-event-id': '1' }))
    ).ended;
  },
  async (url) => {
    const { body } = await send(url, rpc('SendMessage', message('pause?')));
    const taskId = textAt(body, 'result.task.id');
    await send(url, rpc('SendMessage', message('go on', { taskId })));
  },
  async (url) => {
    const { body } = await send(url, rpc('SendMessage', message('auth')));
    const taskId = textAt(body, 'result.task.id');
    await send(url, rpc('SendMessage', message('token secret', { taskId })));
  },
];

let running: RunningApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(ADAPTERS)(`after ${TASKS} tasks of all kinds, on %s (law 11)`, (adapter) => {
  it(
    'nothing is left of them but the tasks',
    async () => {
      // Few tasks are kept, and no windows: what else grew would be seen.
      const options = { maxTasks: 50, replayGraceSeconds: 0, taskCreationDelayMs: 0 };
      running = await start(adapter, probeModule(options));
      const { app, url } = running;
      const server: Server = app.getHttpServer();
      const live = (): A2AGauges => app.get(A2ADiagnostics, { strict: false }).gauges();
      await work(url, KINDS.length * 4);
      await untilQuiet(server, live);
      // Proves that what is counted in the end would be seen.
      // A snapshot takes many seconds in a process that has run other tests: only at full size.
      const names = scaled([], TRANSIENT);
      const working = await whileOneWorks(url, names);

      await untilQuiet(server, live);
      const before = await measure(server, live);
      await work(url, TASKS);
      await untilQuiet(server, live);
      const after = await measure(server, live);
      expect(after.gauges).toEqual(Object.fromEntries(Object.keys(after.gauges).map((name) => [name, 0])));
      expect(after.listeners).toEqual(before.listeners);
      expect(after.connections).toBe(0);
      expect(await leftOver(before.resources)).toEqual([]);
      process.stdout.write(
        `${adapter}: heap ${toMebibytes(before.heap)} before, ${toMebibytes(after.heap)} after ${TASKS} tasks\n`,
      );
      expect(after.heap).toBeLessThan(before.heap + Math.max(before.heap * 0.05, 10 * MEBIBYTE));
      // All that was there while one task was worked on and read, but what belonged to that one.
      expect(countInstances(names)).toEqual(
        Object.fromEntries(Object.entries(working).map(([name, count]) => [name, count - 1])),
      );
    },
    PATIENCE_MS,
  );
});

/** Every kind in turn, several at once. */
async function work(url: string, tasks: number): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < tasks) await KINDS[next++ % KINDS.length](url);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const { body } = await send(url, rpc('SendMessage', message('echo last')));
  expect(at(body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
}

/** How many there are of each class while one task is worked on, and read by one. */
async function whileOneWorks(url: string, names: readonly string[]): Promise<Record<string, number>> {
  const reader = await stream(url, 'slow 100 1000000');
  await reader.frameCount(2);
  await settledHeap();
  const counts = countInstances(names);
  await send(url, rpc('CancelTask', { id: textAt(reader.frames[0]?.data, 'result.task.id') }));
  await reader.ended;
  return counts;
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** Resolves when nobody is connected and nothing runs; the test's own patience is the limit. */
async function untilQuiet(server: Server, live: () => A2AGauges): Promise<void> {
  const busy = async (): Promise<boolean> =>
    (await connectionsOf(server)) > 0 || Object.values(live()).some((value) => value !== 0);
  while (await busy()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function measure(server: Server, live: () => A2AGauges) {
  const heap = await settledHeap();
  const emitters = { server, process };
  const listeners = Object.entries(emitters).flatMap(([name, emitter]) =>
    emitter.eventNames().map((event) => `${name} ${String(event)}: ${getEventListeners(emitter, event).length}`),
  );
  return {
    heap,
    gauges: live(),
    listeners: listeners.sort(),
    connections: await connectionsOf(server),
    resources: process.getActiveResourcesInfo(),
  };
}

/** What keeps the process alive and did not before; timers that are just running out are given their time. */
async function leftOver(before: readonly string[]): Promise<string[]> {
  let more: string[] = [];
  for (let turn = 0; turn < 1_000; turn++) {
    const known = [...before];
    more = process.getActiveResourcesInfo().filter((name) => {
      const index = known.indexOf(name);
      if (index >= 0) known.splice(index, 1);
      return index < 0;
    });
    if (more.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return more;
}

function toMebibytes(bytes: number): string {
  return `${(bytes / MEBIBYTE).toFixed(1)} MiB`;
}
