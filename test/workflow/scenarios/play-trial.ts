import { setTimeout as delay } from 'node:timers/promises';
import {
  DefaultWorkflowEngineClient,
  executePsop,
  type ExecutionResult,
  type Wait,
  type WorkflowEvent,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { labelOf } from './event-labels.js';
import type { Observation } from './observation.js';
import { pause } from './pause.js';
import type { Trial } from './scenario.js';
import { ScriptedAgent } from './scripted-agent.js';
import { ScriptedHost } from './scripted-host.js';
import { windowsOf } from './windows.js';

const LIMIT_MS = 30_000;
const TIMEOUT_MS = 20_000;
const POLL_MS = 2;
const SETTLE_MS = 20_000;

/**
 * Runs a workflow against agents of our server, over HTTP, and says what it came to.
 *
 * @param slowness all times of the scenario are so many times longer, so that a busy machine does not change who is first
 */
export async function playTrial(trial: Trial, slowness: number): Promise<Observation> {
  const faults: string[] = [];
  const wire: string[] = [];
  const reports = { wire: (line: string) => void wire.push(line), fault: (text: string) => void faults.push(text) };
  const agents = [...trial.agents].map(
    ([name, script], at) =>
      new ScriptedAgent({ name, script, reports, adapter: at % 2 === 0 ? 'express' : 'fastify', slowness }),
  );
  const unhandled = (reason: unknown): void => reports.fault(`An unhandled rejection: ${String(reason)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await Promise.all(agents.map((agent) => agent.start()));
    const { timeoutMs, budget } = trial.client;
    const client = new DefaultWorkflowEngineClient(
      agents.map(({ card }) => card),
      {
        config: workflowEngineClientConfig({
          preferredProtocol: 'HTTP+JSON',
          sendTimeoutSeconds: timeoutMs === undefined ? TIMEOUT_MS / 1000 : (timeoutMs * slowness) / 1000,
          maxNegotiationExchanges: budget,
        }),
        wait: pollSoon,
      },
    );
    const host = new ScriptedHost(trial.host, reports.fault);
    const events: WorkflowEvent[] = [];
    const run = executePsop({ psop: trial.workflow, controlPoint: host, engineClient: client });
    const seen = run.events$.subscribe((event) => void events.push(event));
    try {
      const result = await within(run.result);
      await settle(agents, client);
      const open = Object.entries(client.gauges()).filter(([, count]) => count !== 0);
      if (open.length > 0) reports.fault(`Still open at the end: ${open.map(([name]) => name).join(', ')}`);
      if (orderOf(result) !== orderOf({ history: answersIn(events) })) {
        reports.fault('The history is not in the order of the task_response events');
      }
      return {
        events: events.flatMap((event) => labelOf(event) ?? []),
        ...result,
        wire,
        ctx: windowsOf(trial.workflow, events, host.windows),
        routeCalls: host.routeCalls,
        negotiationRounds: host.negotiationRounds,
        faults,
      };
    } finally {
      seen.unsubscribe();
      await client.close();
    }
  } finally {
    await Promise.all(agents.map((agent) => agent.stop()));
    // What nobody heard of comes a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
  }
}

const pollSoon: Wait = async (_milliseconds, signal) => {
  await pause(POLL_MS, signal);
  signal.throwIfAborted();
};

async function within(result: Promise<ExecutionResult>): Promise<ExecutionResult> {
  const limit = new AbortController();
  const late = delay(LIMIT_MS, undefined, { signal: limit.signal }).then(() => {
    throw new Error(`The run has not ended after ${LIMIT_MS / 1000} seconds`);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    limit.abort();
    late.catch(() => undefined);
  }
}

/** Until every answer that will come has come, and the client has cleaned up after it. */
async function settle(agents: readonly ScriptedAgent[], client: DefaultWorkflowEngineClient): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  const isOpen = (): boolean => Object.values(client.gauges()).some((count) => count !== 0);
  while (performance.now() < end && agents.some(({ isBusy }) => isBusy)) await delay(1);
  // Answers that never come are given up only now: until here, the client had to live with them.
  for (const agent of agents) agent.releaseHung();
  while (performance.now() < end && (isOpen() || agents.some(({ isBusy }) => isBusy))) await delay(1);
}

interface Place {
  readonly step: string;
  readonly subtask_index: number;
}

function answersIn(events: readonly WorkflowEvent[]): readonly Place[] {
  return events.flatMap((event) => (event.type === 'task_response' ? [event.data] : []));
}

function orderOf({ history }: { readonly history: readonly Place[] }): string {
  return history.map(({ step, subtask_index }) => `${step}#${subtask_index}`).join(' ');
}
