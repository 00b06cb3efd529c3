import type { JsonValue } from 'nestjs-a2a/protocol';
import { divided, listAt, mapped, numberAt, objectAt, ScenarioError, textAt, textsAt } from './reading.js';

/** What a callback of the host may do instead of answering. */
export type Refusal =
  | { readonly kind: 'null' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'throw'; readonly message: string }
  | { readonly kind: 'business'; readonly code: string; readonly message: string };

export type SelfTaskScript =
  | Refusal
  | { readonly kind: 'success'; readonly outputs: readonly JsonValue[] }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string };

export type RouteScript = Refusal | { readonly kind: 'decide'; readonly allowed: boolean };

export type NegotiationScript =
  | Refusal
  | { readonly kind: 'reply'; readonly performative: 'ACCEPT' | 'REJECT' | 'ABORT'; readonly shift: number }
  | { readonly kind: 'stop'; readonly code: string; readonly reason: string };

/** What the host does. */
export interface HostScript {
  readonly onTask: ReadonlyMap<string, Refusal>;
  readonly onSelfTask: ReadonlyMap<string, SelfTaskScript>;
  readonly onRoute: ReadonlyMap<string, RouteScript>;
  readonly onNegotiation: readonly NegotiationScript[];
  /** Agents that may negotiate. */
  readonly activate: ReadonlySet<string>;
}

/** What the client is set to. */
export interface ClientScript {
  readonly timeoutMs?: number;
  readonly budget?: number;
}

export function hostAt(value: JsonValue | undefined, place: string): HostScript {
  const known = ['onTask', 'onSelfTask', 'onRoute', 'onNegotiation', 'activate'];
  const control = objectAt(value ?? {}, place, known);
  return {
    onTask: mapped(control['onTask'], `${place}.onTask`, (entry, at) => refusalAt(entry, at)),
    onSelfTask: mapped(control['onSelfTask'], `${place}.onSelfTask`, selfTaskAt),
    onRoute: mapped(control['onRoute'], `${place}.onRoute`, routeAt),
    onNegotiation: listAt(control['onNegotiation'] ?? [], `${place}.onNegotiation`).map((entry, n) =>
      negotiationAt(entry, `${place}.onNegotiation[${n}]`),
    ),
    activate: new Set(textsAt(control['activate'] ?? [], `${place}.activate`)),
  };
}

export function clientAt(value: JsonValue | undefined, place: string): ClientScript {
  const { timeoutMs, budget } = objectAt(value ?? {}, place, ['timeoutMs', 'budget']);
  return {
    ...(timeoutMs !== undefined && { timeoutMs: numberAt(timeoutMs, `${place}.timeoutMs`) }),
    ...(budget !== undefined && { budget: numberAt(budget, `${place}.budget`) }),
  };
}

function refusalAt(value: JsonValue, place: string): Refusal {
  const refusal = refusalOf(value);
  if (refusal === undefined)
    throw unknown(value, place, "null, 'hang', 'throw:<message>' or 'business:<code>:<message>'");
  return refusal;
}

function selfTaskAt(value: JsonValue, place: string): SelfTaskScript {
  if (Array.isArray(value)) return { kind: 'success', outputs: value };
  const [kind, rest] = typeof value === 'string' ? divided(value, ':') : [];
  if (kind !== 'fail' || rest === undefined) return refusalAt(value, place);
  const [code, message = ''] = divided(rest, ':');
  return { kind, code, message };
}

function routeAt(value: JsonValue, place: string): RouteScript {
  return typeof value === 'boolean' ? { kind: 'decide', allowed: value } : refusalAt(value, place);
}

function negotiationAt(value: JsonValue, place: string): NegotiationScript {
  const refusal = refusalOf(value);
  if (refusal !== undefined) return refusal;
  const text = textAt(value, place);
  const [kind, rest] = divided(text, ':');
  if (kind === 'stop' && rest !== undefined) {
    const [code, reason = ''] = divided(rest, ':');
    return { kind, code, reason };
  }
  const [, performative, shift = '0'] = /^(ACCEPT|REJECT|ABORT)(?:@(-?\d+))?$/.exec(text) ?? [];
  if (performative === 'ACCEPT' || performative === 'REJECT' || performative === 'ABORT') {
    return { kind: 'reply', performative, shift: Number(shift) };
  }
  throw unknown(value, place, "ACCEPT, REJECT, ABORT (with @<shift>) or 'stop:<code>:<reason>'");
}

function refusalOf(value: JsonValue): Refusal | undefined {
  if (value === null || value === 'null') return { kind: 'null' };
  if (typeof value !== 'string') return undefined;
  const [kind, rest] = divided(value, ':');
  if (kind === 'hang' && rest === undefined) return { kind };
  if (kind === 'throw') return { kind, message: rest ?? '' };
  if (kind !== 'business' || rest === undefined) return undefined;
  const [code, message = ''] = divided(rest, ':');
  return { kind, code, message };
}

function unknown(value: JsonValue, place: string, expected: string): ScenarioError {
  return new ScenarioError(`${place} is ${JSON.stringify(value)}, not ${expected}`);
}
