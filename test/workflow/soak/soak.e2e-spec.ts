import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  CancellationException,
  controlPoint,
  DefaultWorkflowEngineClient,
  executePsop,
  type ExecutionResult,
  MessageContent,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { Random } from '../../fuzz/random.js';
import { pause } from '../scenarios/pause.js';
import { SoakAgent } from './soak-agent.js';
import { type RunPlan, runPlan, type TaskPlan } from './soak-plan.js';

const RUNS = Number(process.env['SOAK_RUNS'] ?? 30);
const SEED = Number(process.env['SOAK_SEED'] ?? 1);
/** How long a task may take that never ends. */
const HANGING_SECONDS = 1 + RUNS / 60;
const SETTLE_MS = 20_000;
const PATIENCE_MS = 180_000;

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
const agents: SoakAgent[] = [];
let clients: { readonly patient: DefaultWorkflowEngineClient; readonly hasty: DefaultWorkflowEngineClient };

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled);
  // One by one, so that those which are there are stopped when a later one fails.
  for (const name of ['X', 'Y', 'Z']) agents.push(await SoakAgent.start(name, name === 'Y' ? 'fastify' : 'express'));
  clients = { patient: clientWithin(PATIENCE_MS / 1000), hasty: clientWithin(HANGING_SECONDS) };
}, PATIENCE_MS);

afterAll(async () => {
  await Promise.all(Object.values(clients ?? {}).map((client) => client.close()));
  await Promise.all(agents.map((agent) => agent.stop()));
  process.off('unhandledRejection', onUnhandled);
});

it(
  `brings ${RUNS} runs at the same time to their ends, and leaves nothing behind (seed ${SEED})`,
  async () => {
    const plans = Array.from({ length: RUNS }, (_, run) => runPlan(Random.of(SEED, run), run));
    const faults = (await Promise.all(plans.map(faultsOf))).flat();
    await untilIdle();

    expect(faults).toEqual([]);
    for (const client of Object.values(clients)) {
      expect(client.gauges()).toEqual({ interactions: 0, cleanUps: 0, sends: 0, subscriptions: 0 });
    }
    expect(agents.flatMap(faultsAt)).toEqual([]);
    expect(agents.map(({ running }) => running)).toEqual([0, 0, 0]);
    // What nobody heard of comes a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
    const cancels = agents.flatMap(({ tasks }) => [...tasks.values()].filter((task) => task.cancels > 0));
    expect(cancels.length).toBeGreaterThan(0);
  },
  PATIENCE_MS,
);

/** Does one run. @returns what went otherwise than planned */
async function faultsOf({ workflow, cancelAfterMs, success, hangs }: RunPlan): Promise<string[]> {
  const faults: string[] = [];
  const types: string[] = [];
  const run = executePsop({
    psop: workflow,
    engineClient: hangs ? clients.hasty : clients.patient,
    controlPoint: controlPoint({ onTask: ({ instruction }) => MessageContent.text(instruction) }),
    eventCallback: { onEvent: (type) => void types.push(type) },
    onCallbackError: (error) => void faults.push(String(error)),
  });
  const timer = cancelAfterMs === undefined ? undefined : setTimeout(() => run.cancel(), cancelAfterMs);
  try {
    const result = await run.result;
    if (result.success !== success && !(hangs && hasLateTask(result)))
      faults.push(`success is ${result.success}: ${JSON.stringify(result.history)}`);
  } catch (error) {
    if (cancelAfterMs === undefined || !(error instanceof CancellationException)) faults.push(String(error));
  } finally {
    clearTimeout(timer);
  }
  if (types.filter((type) => type === 'close').length !== 1 || types.at(-1) !== 'close') faults.push('no single close');
  return faults.map((fault) => `${workflow.name}: ${fault}`);
}

/** On a busy machine, one that would have come to its end may be taken for one that never does. */
function hasLateTask({ history }: ExecutionResult): boolean {
  return history.some(({ errorCode, task }) => {
    const { end }: TaskPlan = JSON.parse(task);
    return errorCode === 'workflow.timeout' && end !== 'hang';
  });
}

function clientWithin(sendTimeoutSeconds: number): DefaultWorkflowEngineClient {
  return new DefaultWorkflowEngineClient(
    agents.map(({ card }) => card),
    {
      config: workflowEngineClientConfig({
        preferredProtocol: 'HTTP+JSON',
        sendTimeoutSeconds,
        sendExecutorMaxSize: 10_000,
      }),
      wait: async (_milliseconds, signal) => {
        await pause(15, signal);
        signal.throwIfAborted();
      },
    },
  );
}

/** What callers did to the agent that they should not have done. */
function faultsAt({ sends, tasks }: SoakAgent): string[] {
  const twice = [...sends].flatMap(([name, count]) => (count > 1 ? [`${name} was sent ${count} times`] : []));
  const wrong = [...tasks.values()].flatMap(({ plan, isShown, cancels }) => {
    const isLeft = plan.end === 'hang' && isShown;
    const fits = isLeft ? cancels === 1 : cancels <= 1;
    return fits ? [] : [`${plan.name} (${plan.end}, ${plan.fault}) was cancelled ${cancels} times`];
  });
  return [...twice, ...wrong];
}

async function untilIdle(): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  const isBusy = (): boolean =>
    Object.values(clients).some((client) => Object.values(client.gauges()).some((count) => count > 0)) ||
    agents.some(({ running }) => running > 0);
  while (performance.now() < end && isBusy()) await delay(5);
}
