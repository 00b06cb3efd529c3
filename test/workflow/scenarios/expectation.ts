import type { JsonValue } from 'nestjs-a2a/protocol';
import {
  flagAt,
  type JsonMap,
  listAt,
  mapAt,
  mapped,
  numberAt,
  objectAt,
  optional,
  ScenarioError,
  textAt,
  textsAt,
} from './reading.js';

/** What a run is to come to. What is left out is not looked at. */
export interface Expectation {
  /** Steps and subtasks may run side by side: only the order inside each of them counts. */
  readonly parallel: boolean;
  readonly events?: readonly string[];
  readonly success?: boolean;
  readonly error?: string | null;
  readonly history?: readonly string[];
  readonly stepOutputs?: JsonMap;
  readonly wire?: readonly string[];
  readonly ctx?: ReadonlyMap<string, readonly string[]>;
  readonly routeCalls?: readonly string[];
  readonly negotiationRounds?: readonly number[];
}

const PARTS = [
  'events',
  'success',
  'error',
  'history',
  'stepOutputs',
  'wire',
  'ctx',
  'routeCalls',
  'negotiationRounds',
];

export function expectationAt(value: JsonValue | undefined, place: string): Expectation {
  const expect = objectAt(value, place, ['parallel', ...PARTS]);
  if (!PARTS.some((part) => expect[part] !== undefined)) throw new ScenarioError(`${place} expects nothing`);
  const { parallel, events, success, error, history, stepOutputs, wire, ctx, routeCalls, negotiationRounds } = expect;
  return {
    parallel: parallel !== undefined && flagAt(parallel, `${place}.parallel`),
    events: optional(events, `${place}.events`, textsAt),
    success: optional(success, `${place}.success`, flagAt),
    error: optional(error, `${place}.error`, (given, at) => (given === null ? null : textAt(given, at))),
    history: optional(history, `${place}.history`, textsAt),
    stepOutputs: optional(stepOutputs, `${place}.stepOutputs`, mapAt),
    wire: optional(wire, `${place}.wire`, textsAt),
    ctx: optional(ctx, `${place}.ctx`, (given, at) => mapped(given, at, textsAt)),
    routeCalls: optional(routeCalls, `${place}.routeCalls`, textsAt),
    negotiationRounds: optional(negotiationRounds, `${place}.negotiationRounds`, (given, at) =>
      listAt(given, at).map((round, n) => numberAt(round, `${at}[${n}]`)),
    ),
  };
}
