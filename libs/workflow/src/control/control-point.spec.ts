import { describe, expect, it } from '@jest/globals';
import type { NegotiationRequest } from '../model/negotiation.js';
import type { RouteRequest } from '../model/route.js';
import type { TaskRequest } from '../model/task-request.js';
import { NegotiationReply } from '../model/negotiation.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import { controlPoint } from './control-point.builder.js';
import type { ControlPoint } from './control-point.js';
import { DefaultControlPoint } from './default-control-point.js';

const { signal } = new AbortController();
const workflowInput = { runtimeIntent: '', upstreamResults: [] };
const task: TaskRequest = {
  executionId: 'e',
  taskId: 't',
  stepName: 'find',
  agentName: 'X',
  skill: '',
  instruction: 'i',
  language: 'zh',
  input: { text: 'i' },
  workflowInput,
  signal,
};
const route: RouteRequest = {
  executionId: 'e',
  stepName: 'find',
  nextStep: 'mend',
  condition: 'c',
  workflowInput,
  currentResults: [],
  signal,
};
const negotiation: NegotiationRequest = JSON.parse('{}');

describe.each<[string, (strategy?: never) => ControlPoint]>([
  ['DefaultControlPoint', () => new DefaultControlPoint()],
  ['controlPoint({})', () => controlPoint({})],
])('%s', (_, make) => {
  it.each<[string, (point: ControlPoint) => unknown]>([
    ['onTask handler is required for find', (point) => point.onTask(task)],
    ['onSelfTask handler is required for find', (point) => point.onSelfTask(task)],
    ['onRoute handler is required for find', (point) => point.onRoute(route)],
    ['onNegotiation handler is required', (point) => point.onNegotiation(negotiation)],
  ])('answers nothing in place of the host: %s', (text, call) => {
    expect(() => call(make())).toThrow(new WorkflowStateError(text));
  });
});

it('hands negotiations, and nothing else, to its strategy', () => {
  const reply = NegotiationReply.stop('c', 'r');
  const point = new DefaultControlPoint({ resolve: () => reply });
  expect(point.onNegotiation(negotiation)).toBe(reply);
  expect(() => point.onTask(task)).toThrow('onTask handler is required for find');
});
