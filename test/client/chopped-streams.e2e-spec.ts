import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentExecutor, A2AModule, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient, userMessage } from 'nestjs-a2a/client';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../fuzz/random.js';
import { probeCard } from '../probe-agent/probe.options.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { startChoppingProxy, type Chopping, type StreamFault } from './chopping-proxy.js';
import { deltaOf } from './deltas.js';

const SEED = Number(process.env['CHOP_SEED'] ?? 1);
const SCHEDULES = Number(process.env['CHOP_SCHEDULES'] ?? 24);
const LANES = 8;
const IDLE_MS = 400;
// A proxy that holds everything back looks like one that is silent, and so does a busy machine.
const PATIENT_IDLE_MS = 30_000;
const SNIPPETS = [
  'word ',
  'grüezi ',
  '👋🏽',
  'データ',
  '\n',
  '\r\n',
  '\n\ndata: {}\n\n',
  ': no comment\n',
  'id: 7\n',
  '"',
  '',
  ' ',
];

/** Says what it is told to, chunk by chunk. */
class ChunkExecutor extends AgentExecutor {
  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const [pause = 0, ...chunks]: [number, ...string[]] = JSON.parse(context.text);
    await emitter.working('on it');
    for (const chunk of chunks) {
      if (pause > 0) await delay(pause, undefined, { signal: context.signal });
      await emitter.text(chunk);
    }
    await emitter.complete('done');
  }
}

interface Schedule {
  readonly chunks: readonly string[];
  readonly pauseMs: number;
  readonly binding: string;
  readonly chopping: Chopping;
}

function scheduleOf(index: number): Schedule {
  const random = Random.of(SEED, index);
  const faults: StreamFault[] = [];
  const buffered = random.chance(0.1);
  const kinds = (['cut', 'cut', 'close', 'silence', 'heartbeats', 'refuse'] as const).filter(
    (kind) => kind !== 'silence' || !buffered,
  );
  for (let stream = 0; stream < random.below(4); stream += 1) {
    // What breaks a send before its task is known cannot be mended.
    const first = stream === 0;
    const kind = random.pick(first ? kinds.slice(0, -1) : kinds);
    const bytesOfNext = random.chance(0.5) ? random.below(400) : 0;
    faults.push({ kind, afterFrames: (first ? 1 : 0) + random.below(8), bytesOfNext });
  }
  return {
    chunks: Array.from({ length: 1 + random.below(24) }, () => random.pick(SNIPPETS)),
    pauseMs: random.chance(0.7) ? 1 : 0,
    binding: random.pick(['JSONRPC', 'HTTP+JSON']),
    chopping: {
      writeBytes: random.pick([0, 0, 1, 1 + random.below(60)]),
      lineEnd: random.pick(['\n', '\r', '\r\n'] as const),
      byteOrderMark: random.chance(0.3),
      ids: random.chance(0.5),
      comments: random.chance(0.3),
      buffered,
      faults,
    },
  };
}

/** @returns what is wrong; nothing when all is well */
async function faultOf(agentUrl: string, card: AgentCard, index: number): Promise<string | undefined> {
  const { chunks, pauseMs, binding, chopping } = scheduleOf(index);
  const proxy = await startChoppingProxy(agentUrl, chopping, IDLE_MS / 2);
  const isSilent =
    chopping.faults.some(({ kind }) => kind === 'silence' || kind === 'heartbeats') && !chopping.buffered;
  const supportedInterfaces = card.supportedInterfaces.map((entry) => ({
    ...entry,
    url: entry.url.replace(agentUrl, proxy.url),
  }));
  const client = new A2AClient({
    network: 'any',
    protocols: [binding],
    limits: { idleTimeoutMs: isSilent ? IDLE_MS : PATIENT_IDLE_MS },
    retry: { initialDelayMs: 1, maxDelayMs: 5 },
    polling: { initialDelayMs: 2 },
  }).at({ ...card, supportedInterfaces });
  try {
    const stream = client.sendMessageStream({ message: userMessage(JSON.stringify([pauseMs, ...chunks])) });
    let joined = '';
    const states: string[] = [];
    for await (const event of stream) {
      joined += deltaOf(event);
      if ('statusUpdate' in event) states.push(event.statusUpdate.status.state);
    }
    const text = chunks.join('');
    const task = await client.getTask(stream.view.taskId ?? '');
    const wrong = [
      proxy.streams > 0 || 'the proxy was passed by',
      joined === text || `deltas ${JSON.stringify(joined)} for ${JSON.stringify(text)}`,
      stream.view.text === text || `view ${JSON.stringify(stream.view.text)}`,
      stream.view.state === TaskState.COMPLETED || `state ${stream.view.state}`,
      states.filter((state) => state === TaskState.COMPLETED).length === 1 || `states ${states.join()}`,
      stream.view.task?.status.message?.messageId === task.status.message?.messageId || 'status message',
    ].filter((entry) => entry !== true);
    return wrong.length === 0 ? undefined : wrong.join('; ');
  } catch (error) {
    return String(error);
  } finally {
    await client.close();
    await proxy.close();
  }
}

describe.each(ADAPTERS)('A chopped stream of an agent on %s', (adapter) => {
  let running: RunningApp;
  let card: AgentCard;

  beforeAll(async () => {
    running = await start(adapter, A2AModule.forRoot({ agentCard: probeCard(), executor: ChunkExecutor }));
    const client = await A2AClient.discover(running.url, { network: 'any' });
    card = (await client.agent()).card;
    await client.close();
  });
  afterAll(() => running.close());

  it(`is whole for its reader, ${SCHEDULES} times from seed ${SEED}`, async () => {
    const faults: string[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < SCHEDULES) {
        const index = next++;
        const fault = await faultOf(running.url, card, index);
        if (fault !== undefined)
          faults.push(`seed ${SEED} schedule ${index}: ${fault} ${JSON.stringify(scheduleOf(index))}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(faults).toEqual([]);
  }, 300_000);
});
