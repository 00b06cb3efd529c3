import { abortable } from 'nestjs-a2a/net';
import { textOf } from '../errors/causes.js';
import { WorkflowArgumentError, WorkflowStateError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { RouteDecision, type RouteRequest } from '../model/route.js';
import type { WorkflowInput } from '../model/workflow-input.js';
import type { JumpCondition } from '../model/workflow-step.js';
import type { ExecutionContext } from './execution-context.js';
import { callHost } from './host-call.js';

/**
 * Decides about the edges of a step that succeeded: all at once, and either all of them or none.
 *
 * @returns the steps that are to run
 * @throws WorkflowStateError about the first edge for which there was no decision
 */
export async function routeStep(
  context: ExecutionContext,
  step: number,
  workflowInput: WorkflowInput,
): Promise<readonly number[]> {
  const { emit, executionId, graph, recorder } = context;
  const { name = '', next = [] } = graph.steps[step] ?? {};
  const edges = next.filter((edge) => edge !== null);
  const before = recorder.routedBefore(name);
  const decisions = before?.length === edges.length ? before : await decide(context, step, edges, workflowInput);
  if (decisions !== before) await abortable(recorder.routed(name, decisions), context.signal);
  context.signal.throwIfAborted();
  return edges.flatMap(({ step: target, condition }, at) => {
    const { allowed, reason } = decisions[at] ?? RouteDecision.deny();
    const conditional = !isBlank(condition);
    emit('route_decision', { executionId, step: name, next: target, condition, conditional, allowed, reason });
    const index = graph.indexOf(target);
    return allowed && index !== undefined ? [index] : [];
  });
}

async function decide(
  context: ExecutionContext,
  step: number,
  edges: readonly JumpCondition[],
  workflowInput: WorkflowInput,
): Promise<readonly RouteDecision[]> {
  const settled = await Promise.allSettled(
    edges.map((edge) =>
      isBlank(edge.condition) ? RouteDecision.allow('unconditional edge') : ask(context, step, edge, workflowInput),
    ),
  );
  return settled.map((outcome, at) => {
    if (outcome.status === 'fulfilled') return outcome.value;
    context.signal.throwIfAborted();
    const from = context.graph.steps[step]?.name;
    const { reason: cause } = outcome;
    throw new WorkflowStateError(`onRoute failed for edge ${from} -> ${edges[at]?.step}: ${textOf(cause)}`, { cause });
  });
}

async function ask(
  context: ExecutionContext,
  step: number,
  edge: JumpCondition,
  workflowInput: WorkflowInput,
): Promise<RouteDecision> {
  const { controlPoint, executionId, graph, record, signal } = context;
  const request: Omit<RouteRequest, 'signal'> = {
    executionId,
    stepName: graph.steps[step]?.name ?? '',
    nextStep: edge.step,
    condition: edge.condition,
    workflowInput,
    currentResults: record.resultsOf(step) ?? [],
  };
  const decision = await callHost(
    {
      make: (waiting) => controlPoint.onRoute(Object.freeze({ ...request, signal: waiting })),
      nullFuture: 'onRoute returned null future',
      nullValue: 'onRoute returned null decision',
    },
    { timeoutMs: context.callbackTimeoutMs, signal },
  );
  const { allowed, reason } = checked(decision);
  return allowed ? RouteDecision.allow(reason) : RouteDecision.deny(reason);
}

/** Anything else than a decision, `true` among it, is taken neither for a yes nor for a no. */
function checked(decision: RouteDecision): RouteDecision {
  const { allowed, reason }: { allowed?: unknown; reason?: unknown } = decision;
  if (typeof allowed !== 'boolean') {
    throw new WorkflowArgumentError('onRoute must return RouteDecision.allow() or RouteDecision.deny()');
  }
  return { allowed, reason: typeof reason === 'string' ? reason : '' };
}
