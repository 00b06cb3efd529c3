import type { JsonValue, Struct } from 'nestjs-a2a/protocol';
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
} from './reading.js';

/** An error as an agent answers it. */
export interface ScriptedFailure {
  readonly code: number;
  readonly message: string;
  readonly status?: string;
  readonly reason?: string;
  readonly domain?: string;
}

/** What an agent says in the end. */
export type Saying =
  | { readonly kind: 'done'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'fail'; readonly text: string }
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'msg'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'err'; readonly failure: ScriptedFailure }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' };

/** One answer of an agent. */
export interface ScriptedAnswer {
  readonly saying: Saying;
  /** Of an artifact. */
  readonly art?: readonly JsonValue[];
  /** The negotiation context that goes with it. */
  readonly neg?: Struct;
  readonly waitMs: number;
  /** The stream shows the task at work before. */
  readonly reveal: boolean;
}

/** What an agent answers to messages, and to questions about its tasks. */
export interface AgentScript {
  readonly send: readonly ScriptedAnswer[];
  readonly get: readonly ScriptedAnswer[];
}

const SAYINGS = ['done', 'fail', 'state', 'msg', 'err', 'hang', 'drop'];
const BESIDES = ['art', 'neg', 'wait', 'reveal'];
const STATES = [
  'UNSPECIFIED',
  'SUBMITTED',
  'WORKING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'INPUT_REQUIRED',
  'REJECTED',
  'AUTH_REQUIRED',
];

export function agentsAt(value: JsonValue | undefined, place: string): ReadonlyMap<string, AgentScript> {
  return mapped(value, place, (agent, at) => {
    const { send, get } = objectAt(agent, at, ['send', 'get']);
    return {
      send: listAt(send ?? [], `${at}.send`).map((answer, n) => answerAt(answer, `${at}.send[${n}]`)),
      get: listAt(get ?? [], `${at}.get`).map((answer, n) => questionAt(answer, `${at}.get[${n}]`)),
    };
  });
}

function questionAt(value: JsonValue, place: string): ScriptedAnswer {
  const answer = answerAt(value, place);
  if (answer.reveal || answer.saying.kind === 'msg') {
    throw new ScenarioError(`${place}: a question about a task is answered with neither a stream nor a message`);
  }
  return answer;
}

function answerAt(value: JsonValue, place: string): ScriptedAnswer {
  const answer = objectAt(value, place, [...SAYINGS, ...BESIDES]);
  const { art, neg, wait, reveal } = answer;
  return {
    saying: sayingOf(answer, place),
    art: optional(art, `${place}.art`, listAt),
    neg: optional(neg, `${place}.neg`, (given, at) => ({ ...mapAt(given, at) })),
    waitMs: wait === undefined ? 0 : numberAt(wait, `${place}.wait`),
    reveal: reveal !== undefined && flagAt(reveal, `${place}.reveal`),
  };
}

function sayingOf(answer: JsonMap, place: string): Saying {
  const given = SAYINGS.filter((kind) => answer[kind] !== undefined && answer[kind] !== false);
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw new ScenarioError(`${place} must have exactly one of ${SAYINGS.join(', ')}`);
  }
  const at = `${place}.${kind}`;
  switch (kind) {
    case 'done':
    case 'msg':
      return { kind, values: listAt(answer[kind], at) };
    case 'fail':
      return { kind, text: textAt(answer[kind], at) };
    case 'state':
      return { kind, state: stateAt(answer[kind], at) };
    case 'err':
      return { kind, failure: failureAt(answer[kind], at) };
    default:
      flagAt(answer[kind], at);
      return { kind: kind === 'drop' ? 'drop' : 'hang' };
  }
}

function stateAt(value: JsonValue | undefined, place: string): string {
  const state = textAt(value, place);
  if (!STATES.includes(state)) throw new ScenarioError(`${place} must be one of ${STATES.join(', ')}`);
  return `TASK_STATE_${state}`;
}

function failureAt(value: JsonValue | undefined, place: string): ScriptedFailure {
  const { code, message, status, reason, domain } = objectAt(value, place, [
    'code',
    'message',
    'status',
    'reason',
    'domain',
  ]);
  return {
    code: numberAt(code, `${place}.code`),
    message: textAt(message, `${place}.message`),
    status: optional(status, `${place}.status`, textAt),
    reason: optional(reason, `${place}.reason`, textAt),
    domain: optional(domain, `${place}.domain`, textAt),
  };
}
