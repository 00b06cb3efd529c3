import type { JsonValue } from 'nestjs-a2a/protocol';
import { Workflow } from 'nestjs-a2a/workflow';
import { type AgentScript, agentsAt } from './agent-script.js';
import { type Expectation, expectationAt } from './expectation.js';
import { type ClientScript, clientAt, type HostScript, hostAt } from './host-script.js';
import { divided, listAt, mapAt, objectAt, ScenarioError, textAt, textsAt } from './reading.js';

/** One run, and what it is to come to. */
export interface Trial {
  readonly workflow: Workflow;
  readonly agents: ReadonlyMap<string, AgentScript>;
  readonly host: HostScript;
  readonly client: ClientScript;
  readonly expect: Expectation;
}

/** A scenario of a file. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** One, or one for each of its cases. */
  readonly trials: readonly Trial[];
}

/** The entries of a file; each is read by itself, so that one that is wrong does not take the others along. */
export function entriesOf(file: string): readonly JsonValue[] {
  const parsed: JsonValue = JSON.parse(file);
  return listAt(parsed, 'A file of scenarios');
}

/** What a scenario is called, however wrong the rest of it is. */
export function nameOf(entry: JsonValue, at: number): string {
  const isNamed = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
  return isNamed && typeof entry['id'] === 'string' ? entry['id'] : `scenario ${at + 1}`;
}

/** @throws ScenarioError when it says something that cannot be played */
export function scenarioOf(entry: JsonValue): Scenario {
  const { id, title, given, cases, expect } = objectAt(entry, 'The scenario', [
    'id',
    'title',
    'given',
    'cases',
    'expect',
  ]);
  if ((given === undefined) === (cases === undefined)) {
    throw new ScenarioError('The scenario must have either given or cases');
  }
  const expectation = expectationAt(expect, 'expect');
  const trials =
    given === undefined
      ? listAt(cases, 'cases').map((entry, at) => caseOf(entry, `cases[${at}]`, expectation))
      : [trialOf(given, expectation)];
  if (trials.length === 0) throw new ScenarioError('The scenario has no cases');
  return { id: textAt(id, 'id'), title: title === undefined ? '' : textAt(title, 'title'), trials };
}

function trialOf(value: JsonValue, expect: Expectation): Trial {
  const { steps, agents, control, config } = objectAt(value, 'given', ['steps', 'agents', 'control', 'config']);
  return {
    workflow: workflowOf(steps),
    agents: agentsAt(agents ?? {}, 'given.agents'),
    host: hostAt(control, 'given.control'),
    client: clientAt(config, 'given.config'),
    expect,
  };
}

function workflowOf(value: JsonValue | undefined): Workflow {
  const steps = Object.entries(mapAt(value, 'given.steps')).map(([name, step]) => {
    const place = `given.steps.${name}`;
    const { sub, next, type, ctx } = objectAt(step, place, ['sub', 'next', 'type', 'ctx']);
    return {
      name,
      ...(type !== undefined && { type: textAt(type, `${place}.type`) }),
      ...(ctx !== undefined && { context_from: ctx }),
      subtasks: textsAt(sub ?? [], `${place}.sub`).map((text) => {
        const [agent, description = ''] = divided(text, ':');
        return { agent, description };
      }),
      next: textsAt(next ?? [], `${place}.next`).map((text) => {
        const [target, condition = ''] = divided(text, '?');
        return { step: target, condition };
      }),
    };
  });
  return Workflow.fromMap({ id: 'scenario', name: 'scenario', steps });
}

function caseOf(value: JsonValue, place: string, expect: Expectation): Trial {
  const entry = listAt(value, place);
  if (entry.length !== 2) throw new ScenarioError(`${place} must be [steps, error]`);
  const [steps, error] = entry;
  return {
    workflow: withNullEdges(listAt(steps, `${place}[0]`)),
    agents: new Map(),
    host: hostAt(undefined, ''),
    client: {},
    expect: { ...expect, error: error === null ? null : textAt(error, `${place}[1]`) },
  };
}

/** Steps in wire form. An edge may be null, which the reader of the wire form refuses before the graph is looked at. */
function withNullEdges(steps: readonly JsonValue[]): Workflow {
  const nulls = steps.map((step) => {
    const { next } = mapAt(step, 'A step of a case');
    return Array.isArray(next) ? next.map((edge) => edge === null) : [];
  });
  const readable = steps.map((step) => {
    const map = mapAt(step, 'A step of a case');
    const { next } = map;
    return Array.isArray(next) ? { ...map, next: next.map((edge) => edge ?? {}) } : map;
  });
  const workflow = Workflow.fromMap({ id: 'case', name: 'case', steps: readable });
  const edged = workflow.steps.map((step, at) => {
    // What a host that does not write TypeScript may hand over.
    const next: unknown = step.next.map((edge, n) => (nulls[at]?.[n] === true ? null : edge));
    return Object.assign({}, step, { next });
  });
  return { ...workflow, steps: edged };
}
