import { isDeepStrictEqual } from 'node:util';
import type { Workflow } from 'nestjs-a2a/workflow';
import { withCommonName } from './class-names.js';
import { compareEvents } from './compare-events.js';
import type { Expectation } from './expectation.js';
import { ancestorsIn } from './graph.js';
import { matchesRow, shownRow } from './history-row.js';
import type { Observation } from './observation.js';

/** What is wrong with what a run came to. */
export function judge(expect: Expectation, seen: Observation, workflow: Workflow): string[] {
  return [...seen.faults, ...problems(expect, seen, workflow)];
}

function* problems(expect: Expectation, seen: Observation, workflow: Workflow): Generator<string, void, undefined> {
  const { parallel, events, success, error, history, stepOutputs, wire, ctx, routeCalls, negotiationRounds } = expect;
  if (events !== undefined) {
    const ancestors = parallel ? ancestorsIn(workflow) : undefined;
    yield* compareEvents(events.map(withCommonName), seen.events.map(withCommonName), ancestors);
  }
  if (success !== undefined && success !== seen.success) yield `success: is ${seen.success}`;
  if (error !== undefined && !sameText(error, seen.error)) {
    yield `error: is ${JSON.stringify(seen.error)}, not ${JSON.stringify(error)}`;
  }
  if (history !== undefined) yield* compareHistory(history, seen, parallel);
  if (stepOutputs !== undefined && !isDeepStrictEqual(plain(stepOutputs), plain(seen.stepOutputs))) {
    yield `stepOutputs: is ${JSON.stringify(seen.stepOutputs)}, not ${JSON.stringify(stepOutputs)}`;
  }
  if (wire !== undefined) yield* compareByAgent(wire, seen.wire);
  if (ctx !== undefined && !isDeepStrictEqual(sortedEntries(ctx), sortedEntries(seen.ctx))) {
    yield `ctx: is ${shownMap(seen.ctx)}, not ${shownMap(ctx)}`;
  }
  if (routeCalls !== undefined) yield* compareRoutes(routeCalls, seen.routeCalls, parallel);
  if (negotiationRounds !== undefined) {
    const [mine, theirs] = [seen.negotiationRounds, negotiationRounds].map((rounds) =>
      parallel ? [...rounds].sort((a, b) => a - b) : rounds,
    );
    if (!isDeepStrictEqual(mine, theirs)) yield `negotiationRounds: are ${String(mine)}, not ${String(theirs)}`;
  }
}

function* compareHistory(expected: readonly string[], { history }: Observation, parallel: boolean): Generator<string> {
  const left = [...history];
  const isThere = (text: string): boolean => {
    const at = left.findIndex((row) => matchesRow(text, row));
    if (at < 0 || (!parallel && at > 0)) return false;
    left.splice(at, 1);
    return true;
  };
  if (expected.length === history.length && expected.every(isThere)) return;
  yield `history: is ${JSON.stringify(history.map(shownRow))}, not ${JSON.stringify(expected)}`;
}

function* compareByAgent(expected: readonly string[], actual: readonly string[]): Generator<string> {
  const agentOf = (line: string): string => line.split(' ')[1] ?? '';
  for (const agent of new Set([...expected, ...actual].map(agentOf))) {
    const [wanted, found] = [expected, actual].map((lines) => lines.filter((line) => agentOf(line) === agent));
    if (!isDeepStrictEqual(wanted, found)) {
      yield `wire: of ${agent}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`;
    }
  }
}

function* compareRoutes(expected: readonly string[], actual: readonly string[], parallel: boolean): Generator<string> {
  const isSame = parallel
    ? isDeepStrictEqual(bySource(expected), bySource(actual))
    : isDeepStrictEqual(expected, actual);
  if (!isSame) yield `routeCalls: are ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
}

/** Steps that run side by side ask in any order, each of them in its own. */
function bySource(edges: readonly string[]): readonly string[][] {
  const sources = [...new Set(edges.map(sourceOf))].sort();
  return sources.map((source) => edges.filter((edge) => sourceOf(edge) === source));
}

function sourceOf(edge: string): string {
  return edge.split('->')[0] ?? '';
}

function sameText(expected: string | null, actual: string | null): boolean {
  if (expected === null || actual === null) return expected === actual;
  return withCommonName(expected) === withCommonName(actual);
}

function sortedEntries(map: ReadonlyMap<string, readonly string[]>) {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function shownMap(map: ReadonlyMap<string, readonly string[]>): string {
  return JSON.stringify(Object.fromEntries(map));
}

function plain(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}
