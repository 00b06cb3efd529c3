import type { JsonValue } from 'nestjs-a2a/protocol';
import { alteredEvents } from './altered-events.js';
import { alteredHistory } from './altered-history.js';
import { type Altered, changedLists } from './altered-lists.js';
import type { Expectation } from './expectation.js';
import type { JsonMap } from './reading.js';
import type { Trial } from './scenario.js';

/** An expectation with one thing in it that did not happen. */
export interface Alteration {
  readonly what: string;
  readonly expect: Expectation;
}

/** The expectation of a trial, with each thing in it altered once. */
export function* alterationsOf({ expect, workflow }: Trial): Generator<Alteration> {
  const { parallel, events, success, error, history, stepOutputs, wire, ctx, routeCalls, negotiationRounds } = expect;
  const put = (part: keyof Expectation, { what, value }: Altered<unknown>): Alteration => ({
    what: `${part}: ${what}`,
    expect: { ...expect, [part]: value },
  });
  if (success !== undefined) yield put('success', { what: 'turned round', value: !success });
  if (error !== undefined) {
    yield put('error', { what: 'another', value: error === null ? 'Something else' : `${error}~` });
    yield put('error', { what: error === null ? 'a blank one' : 'none', value: error === null ? '' : null });
  }
  if (events !== undefined) for (const one of alteredEvents(events, workflow, parallel)) yield put('events', one);
  if (history !== undefined) for (const one of alteredHistory(history, parallel)) yield put('history', one);
  if (stepOutputs !== undefined) for (const one of alteredOutputs(stepOutputs)) yield put('stepOutputs', one);
  if (wire !== undefined) {
    const ofOneAgent = (a: string, b: string): boolean => a.split(' ')[1] === b.split(' ')[1];
    for (const one of changedLists(wire, alterLine, 'get none', ofOneAgent)) yield put('wire', one);
  }
  if (ctx !== undefined) for (const one of alteredWindows(ctx)) yield put('ctx', one);
  if (routeCalls !== undefined) {
    const ofOneStep = (a: string, b: string): boolean => !parallel || a.split('->')[0] === b.split('->')[0];
    const alter = (edge: string): string[] => [`${edge}~`, `~${edge}`];
    for (const one of changedLists(routeCalls, alter, 'none->end', ofOneStep)) yield put('routeCalls', one);
  }
  if (negotiationRounds !== undefined) {
    const alter = (round: number): number[] => [round + 1000];
    for (const one of changedLists(negotiationRounds, alter, 1000, () => !parallel))
      yield put('negotiationRounds', one);
  }
}

function alterLine(line: string): string[] {
  const [verb, agent = '', ...more] = line.split(' ');
  const others = more.map((word, at) => [verb, agent, ...more.with(at, `${word}~`)].join(' '));
  const fewer = more.map((_, at) => [verb, agent, ...more.toSpliced(at, 1)].join(' '));
  return [`${verb}~ ${[agent, ...more].join(' ')}`, `${verb} ${[`${agent}~`, ...more].join(' ')}`, ...others, ...fewer];
}

function* alteredWindows(
  ctx: ReadonlyMap<string, readonly string[]>,
): Generator<Altered<ReadonlyMap<string, readonly string[]>>> {
  yield { what: 'one more step', value: new Map([...ctx, ['~', []]]) };
  for (const [step, window] of ctx) {
    yield { what: `without ${step}`, value: new Map([...ctx].filter(([name]) => name !== step)) };
    for (const { what, value } of changedLists(
      window,
      (name) => [`${name}~`],
      '~',
      () => true,
    )) {
      yield { what: `${step} ${what}`, value: new Map([...ctx, [step, value]]) };
    }
  }
}

function* alteredOutputs(outputs: JsonMap): Generator<Altered<JsonMap>> {
  yield { what: 'one more step', value: { ...outputs, '~': {} } };
  for (const [step, results] of Object.entries(outputs)) {
    yield { what: `without ${step}`, value: without(outputs, step) };
    if (typeof results !== 'object' || results === null || Array.isArray(results)) continue;
    yield { what: `${step} has one more`, value: { ...outputs, [step]: { ...results, '~': [] } } };
    for (const [key, values] of Object.entries(results)) {
      yield { what: `${step} without ${key}`, value: { ...outputs, [step]: without(results, key) } };
      for (const { what, value } of alteredValues(values)) {
        yield { what: `${step} ${key} ${what}`, value: { ...outputs, [step]: { ...results, [key]: value } } };
      }
    }
  }
}

function* alteredValues(values: JsonValue | undefined): Generator<Altered<JsonValue>> {
  yield { what: 'in a list', value: [values ?? null] };
  if (!Array.isArray(values)) return;
  yield* changedLists<JsonValue>(
    values,
    (value) => [typeof value === 'string' ? `${value}~` : [value], '~'],
    '~',
    () => true,
  );
}

function without(map: JsonMap, key: string): JsonMap {
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
}
