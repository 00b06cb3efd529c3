import { expect, it } from '@jest/globals';
import {
  type AgentCard,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  TaskState,
} from 'nestjs-a2a/protocol';
import {
  A2ARuntime,
  DefaultWorkflowEngineClient,
  RemoteA2AError,
  type RuntimeCallContext,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { negotiable, replyWith } from '../../../../test/support/workflow/engine-client-bench.js';
import { proposes, scriptedCard, taskOf } from '../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, FAILED, WORKING, INPUT_REQUIRED, CANCELED } = TaskState;
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The same numbers for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Agents with whims: they are late, break, ask, fail, or do not answer. */
class WhimsicalRuntime extends A2ARuntime {
  readonly states = new Map<string, TaskState>();
  readonly cancels = new Map<string, number>();
  readonly closed = new Map<string, number>();
  private count = 0;

  constructor(private readonly random: () => number) {
    super();
  }

  async *sendMessage(_card: AgentCard, { message }: SendMessageRequest, { signal }: RuntimeCallContext) {
    const { contextId = '', taskId } = message;
    await this.pause();
    if (taskId === undefined && this.random() < 0.1) throw new RemoteA2AError({ remoteCode: 503, message: 'busy' });
    if (this.random() < 0.05) throw new Error('The line is down');
    const id = taskId ?? `t${(this.count += 1)}`;
    yield this.event(contextId, id, WORKING);
    await this.pause();
    const whim = this.random();
    if (whim < 0.15) throw new Error('The line was cut');
    if (whim < 0.3)
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    if (whim < 0.4) return;
    const state = whim < 0.6 ? INPUT_REQUIRED : whim < 0.7 ? FAILED : COMPLETED;
    yield this.event(contextId, id, state);
  }

  override async getTask(_card: AgentCard, taskId: string): Promise<Task> {
    await this.pause();
    if (this.random() < 0.5) this.states.set(taskId, COMPLETED);
    return taskOf(this.contextOf(taskId), this.states.get(taskId) ?? WORKING, { id: taskId });
  }

  override async cancelTask(_card: AgentCard, taskId: string): Promise<Task> {
    this.cancels.set(taskId, (this.cancels.get(taskId) ?? 0) + 1);
    await this.pause();
    if (this.random() < 0.2) throw new Error('It cannot be cancelled');
    return taskOf(this.contextOf(taskId), CANCELED, { id: taskId });
  }

  override closeConversation(_card: AgentCard, contextId: string): void {
    this.closed.set(contextId, (this.closed.get(contextId) ?? 0) + 1);
  }

  async close(): Promise<void> {
    // Nothing is open.
  }

  private readonly contexts = new Map<string, string>();

  private contextOf(taskId: string): string {
    return this.contexts.get(taskId) ?? '';
  }

  private event(contextId: string, id: string, state: TaskState): StreamResponse {
    this.states.set(id, state);
    this.contexts.set(id, contextId);
    const metadata = state === INPUT_REQUIRED ? proposes() : undefined;
    return { task: taskOf(contextId, state, { id, metadata }) };
  }

  private async pause(): Promise<void> {
    for (let turns = Math.floor(this.random() * 4); turns > 0; turns -= 1) await tick();
  }
}

it.each([1, 2, 3])('300 sends at once leave nothing behind (seed %i)', async (seed) => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  const random = randomOf(seed);
  const runtime = new WhimsicalRuntime(random);
  const client = new DefaultWorkflowEngineClient([scriptedCard('X')], {
    config: workflowEngineClientConfig({ sendExecutorMaxSize: 300 }),
    runtime,
    wait: async (_milliseconds, signal) => {
      await tick();
      signal.throwIfAborted();
    },
  });
  const known = new Map<string, 'kept' | 'failed'>();
  const sends = Array.from({ length: 300 }, async () => {
    const stop = new AbortController();
    const turns = Math.floor(random() * 40);
    const ids: string[] = [];
    const sending = client.sendTask('X', negotiable(), {
      signal: stop.signal,
      negotiationStrategy: { resolve: (request) => replyWith(request, random() < 0.5 ? 'ACCEPT' : 'REJECT') },
      journal: { beforeSend: tick, taskKnown: async (id) => void ids.push(id) },
    });
    const settled = sending.then(
      () => 'kept' as const,
      () => 'failed' as const,
    );
    for (let turn = 0; turn < turns; turn += 1) await tick();
    stop.abort();
    const outcome = await settled;
    for (const id of ids) known.set(id, outcome);
  });
  await Promise.all(sends);
  await client.close();
  await tick();
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
  expect(client.gauges()).toEqual({ interactions: 0, cleanUps: 0, sends: 0, subscriptions: 0 });
  expect([...runtime.closed.values()].every((times) => times === 1)).toBe(true);
  expect(runtime.closed.size).toBe(300);
  const ended = new Set<string>([COMPLETED, FAILED]);
  for (const [id, outcome] of known) {
    const isLeft = outcome === 'failed' && !ended.has(runtime.states.get(id) ?? '');
    // Whether an end was heard of before the call was given up is a matter of chance.
    if (isLeft) expect([id, runtime.cancels.get(id)]).toEqual([id, 1]);
    else expect(runtime.cancels.get(id) ?? 0).toBeLessThanOrEqual(outcome === 'kept' ? 0 : 1);
  }
  expect(new Set(known.values())).toEqual(new Set(['kept', 'failed']));
});
