import { describe, expect, it } from '@jest/globals';
import { completed, ScriptedEngineClient } from '../../../../test/support/workflow/scripted-engine-client.js';
import { controlPoint } from '../control/control-point.builder.js';
import { MessageContent } from '../model/message-content.js';
import { RouteDecision } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import { Workflow } from '../model/workflow.js';
import { renderWorkflow } from '../render/render-workflow.js';
import { WorkflowExecutor } from './workflow-executor.js';

const SIZE = 1_000;

interface Shape {
  readonly next: (at: number) => readonly number[];
  readonly contextFrom?: (at: number) => readonly string[];
  readonly condition?: (from: number, to: number) => string;
}

function graph({ next, contextFrom, condition }: Shape): Workflow {
  return Workflow.fromMap({
    name: 'large',
    steps: Array.from({ length: SIZE }, (_, at) => ({
      name: `s${at}`,
      subtasks: [{ agent: 'X', description: `d${at}` }],
      context_from: contextFrom?.(at),
      next: next(at)
        .filter((to) => to < SIZE)
        .map((to) => ({ step: `s${to}`, condition: condition?.(at, to) })),
    })),
  });
}

async function run(workflow: Workflow, limits: { maxParallelTasks?: number } = {}) {
  const requests = new Map<string, TaskRequest>();
  const order: string[] = [];
  let most = 0;
  let now = 0;
  const engineClient = new ScriptedEngineClient({
    X: async (content) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      const [part] = content.parts;
      const text = part !== undefined && 'text' in part ? part.text : '';
      return completed([text]);
    },
  });
  const executor = new WorkflowExecutor({
    workflow,
    engineClient,
    controlPoint: controlPoint({
      onTask: (request) => {
        requests.set(request.stepName, request);
        order.push(request.stepName);
        return MessageContent.text(request.instruction);
      },
      onRoute: ({ condition }) => (condition === 'yes' ? RouteDecision.allow() : RouteDecision.deny()),
    }),
    ...limits,
  });
  const result = await executor.run();
  const sources = (step: string): string[] =>
    (requests.get(step)?.workflowInput.upstreamResults ?? []).map(({ stepName }) => stepName);
  return { result, order, sources, most };
}

describe(`a graph of ${SIZE} steps`, () => {
  it('may be one long line, each step of which sees all before it', async () => {
    const { result, order, sources } = await run(graph({ next: (at) => [at + 1], contextFrom: () => ['*'] }));
    expect(result.success).toBe(true);
    expect(order).toEqual(Array.from({ length: SIZE }, (_, at) => `s${at}`));
    expect(sources('s999')).toEqual(Array.from({ length: SIZE - 1 }, (_, at) => `s${SIZE - 2 - at}`));
  });

  it('may be all wide, with no more of it at work than may be', async () => {
    const { result, most } = await run(graph({ next: () => [] }), { maxParallelTasks: 7 });
    expect(result.success).toBe(true);
    expect(result.history).toHaveLength(SIZE);
    expect(most).toBe(7);
  });

  it('may fan out and in again: the join runs once, after all of them', async () => {
    const { result, order, sources } = await run(
      graph({
        next: (at) =>
          at === 0 ? Array.from({ length: SIZE - 2 }, (_, to) => to + 1) : at < SIZE - 1 ? [SIZE - 1] : [],
      }),
    );
    expect(result.success).toBe(true);
    expect(order.at(-1)).toBe('s999');
    expect(sources('s999')).toHaveLength(SIZE - 2);
  });

  it('may be diamonds in a row, each of which takes one side', async () => {
    const { result, order, sources } = await run(
      graph({
        // 0 -> 1, 2 -> 3 -> 4, 5 -> 6 …
        next: (at) => (at % 3 === 0 ? [at + 1, at + 2] : at % 3 === 1 ? [at + 2] : [at + 1]),
        condition: (from, to) => (from % 3 === 0 ? (to % 2 === 0 ? 'yes' : 'no') : ''),
        contextFrom: (at) => (at === SIZE - 1 ? ['*'] : []),
      }),
    );
    expect(result.success).toBe(true);
    expect(order).toHaveLength(667);
    expect(new Set(order).size).toBe(667);
    expect(sources('s999')).toHaveLength(666);
  });

  it('may be dense: each step leads to the next hundred', async () => {
    const { result, order } = await run(graph({ next: (at) => Array.from({ length: 100 }, (_, by) => at + by + 1) }));
    expect(result.success).toBe(true);
    expect(order).toEqual(Array.from({ length: SIZE }, (_, at) => `s${at}`));
  });

  it('can be drawn in words', () => {
    const drawn = renderWorkflow(graph({ next: (at) => [at + 1, at + 2] }));
    expect(drawn.split('\n').filter((line) => line.includes(' --> '))).toHaveLength(2 * SIZE - 3);
  });
});
