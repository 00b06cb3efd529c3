import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AgentExecutor, A2AModule, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient, userMessage } from 'nestjs-a2a/client';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { setTimeout as delay } from 'node:timers/promises';
import { probeCard } from '../probe-agent/probe.options.js';
import { start } from '../support/running-app.js';
import { ChopRecord } from './chop-record.js';
import { chopSchedule } from './chop-schedule.js';
import { startChoppingProxy } from './chopping-proxy.js';
import { deltaOf } from './deltas.js';
import { startOfficialAgent } from './official-js-agent.js';

const SEED = Number(process.env['CHOP_SEED'] ?? 1);
/** Over all servers and bindings together. */
const SCHEDULES = Number(process.env['CHOP_SCHEDULES'] ?? 36);
const LANES = 8;
const IDLE_MS = 400;
// A proxy that holds bytes back looks like one that is silent, and so does a busy machine.
const PATIENT_IDLE_MS = 30_000;

/** Says what it is told to, chunk by chunk. */
class ChunkExecutor extends AgentExecutor {
  override async execute({ text, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const [pause = 0, ...chunks]: [number, ...string[]] = JSON.parse(text.slice('chunks '.length));
    await emitter.working('on it');
    for (const chunk of chunks) {
      if (pause > 0) await delay(pause, undefined, { signal });
      await emitter.text(chunk);
    }
    await emitter.complete('done');
  }
}

interface Agent {
  readonly url: string;
  close(): Promise<void>;
}

const module = () => A2AModule.forRoot({ agentCard: probeCard(), executor: ChunkExecutor });
const AGENTS: readonly (readonly [name: string, start: () => Promise<Agent>])[] = [
  ['this module on Express', () => start('express', module())],
  ['this module on Fastify', () => start('fastify', module())],
  ['the official SDK', startOfficialAgent],
];
const BINDINGS = ['JSONRPC', 'HTTP+JSON'];
const record = new ChopRecord();

/** @returns what is wrong; nothing when all is well */
async function faultOf(agent: Agent, card: AgentCard, binding: string, index: number): Promise<string | undefined> {
  const { chunks, pauseMs, chopping } = chopSchedule(SEED, index);
  const proxy = await startChoppingProxy(agent.url, chopping, IDLE_MS / 4, record);
  const isSilent = chopping.faults.some(({ kind }) => kind === 'silence' || kind === 'heartbeats');
  const supportedInterfaces = card.supportedInterfaces.map((entry) => ({
    ...entry,
    url: entry.url.replace(agent.url, proxy.url),
  }));
  const client = new A2AClient({
    network: 'any',
    protocols: [binding],
    limits: { idleTimeoutMs: isSilent && chopping.heldBytes === 0 ? IDLE_MS : PATIENT_IDLE_MS },
    retry: { initialDelayMs: 1, maxDelayMs: 5 },
    polling: { initialDelayMs: 2 },
  }).at({ ...card, supportedInterfaces });
  try {
    const stream = client.sendMessageStream({ message: userMessage(`chunks ${JSON.stringify([pauseMs, ...chunks])}`) });
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

describe(`Chopped streams, seed ${SEED}`, () => {
  // The SDK logs that subscriptions to tasks that have ended are refused: as they should be.
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  afterAll(() => log.mockRestore());

  describe.each(AGENTS.map(([name, begin], row) => ({ name, begin, row })))('of $name', ({ begin, row }) => {
    let agent: Agent;
    let card: AgentCard;

    beforeAll(async () => {
      agent = await begin();
      const client = await A2AClient.discover(agent.url, { network: 'any' });
      card = (await client.agent()).card;
      await client.close();
    });
    afterAll(() => agent.close());

    it.each(BINDINGS)(
      'are whole for their readers over %s',
      async (binding) => {
        const part = row * BINDINGS.length + BINDINGS.indexOf(binding);
        const parts = AGENTS.length * BINDINGS.length;
        const faults: string[] = [];
        let next = Math.floor((SCHEDULES * part) / parts);
        const end = Math.floor((SCHEDULES * (part + 1)) / parts);
        const lane = async (): Promise<void> => {
          while (next < end) {
            const index = next++;
            const fault = await faultOf(agent, card, binding, index);
            if (fault === undefined) continue;
            const schedule = JSON.stringify(chopSchedule(SEED, index));
            faults.push(`CHOP_SEED=${SEED}, schedule ${index}: ${fault} ${schedule}`);
          }
        };
        await Promise.all(Array.from({ length: LANES }, lane));
        expect(faults).toEqual([]);
      },
      300_000,
    );
  });

  it('went through everything that happens on the way', () => {
    expect(record.missing).toEqual([]);
  });
});
