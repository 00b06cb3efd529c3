import type { Decode } from './decoder.js';
import { isRecord } from '../is-record.js';
import type { Issues } from './issues.js';

/** How one field of a message is read. */
export interface Field<T, Required extends boolean> {
  readonly decode: Decode<T>;
  readonly required: Required;
  /** Stands in for an absent field. */
  readonly fallback?: () => T;
  /** As `fallback`, only in answers of peers. */
  readonly tolerantFallback?: () => T;
  /** Is JSON null a value of this field? */
  readonly nullIsValue?: boolean;
}

/** The fields of a message by their JSON names. */
export type Fields = Readonly<Record<string, Field<unknown, boolean>>>;

type Flat<T> = { [K in keyof T]: T[K] };
type FieldType<F> = F extends Field<infer T, boolean> ? T : never;
type RequiredKeys<F extends Fields> = { [K in keyof F]: F[K] extends Field<unknown, true> ? K : never }[keyof F];

/** The type of a message with these fields. */
export type MessageOf<F extends Fields> = Flat<
  { [K in RequiredKeys<F>]: FieldType<F[K]> } & { [K in Exclude<keyof F, RequiredKeys<F>>]?: FieldType<F[K]> }
>;

/** The type of a message with exactly one of these fields. */
export type OneofOf<F extends Fields> = { [K in keyof F]: { [P in K]: FieldType<F[P]> } }[keyof F];

/** A field that may be absent. */
export function optional<T>(decode: Decode<T>): Field<T, false> {
  return { decode, required: false };
}

/** A field that must be there. */
export function required<T>(decode: Decode<T>): Field<T, true> {
  return { decode, required: true };
}

/** A field that must be there, though peers leave it out when it is at its default. */
export function requiredOr<T>(decode: Decode<T>, tolerantFallback: () => T): Field<T, true> {
  return { decode, required: true, tolerantFallback };
}

/** A field that always has a value. */
export function defaulted<T>(decode: Decode<T>, fallback: () => T): Field<T, true> {
  return { decode, required: true, fallback };
}

/** A field whose value may be JSON null. */
export function nullable<T>(decode: Decode<T>): Field<T, true> {
  return { decode, required: true, nullIsValue: true };
}

interface Step extends Field<unknown, boolean> {
  readonly name: string;
  /** The name in the proto file, where it differs. */
  readonly alias: string | undefined;
}

function planOf(fields: Fields): readonly Step[] {
  return Object.entries(fields).map(([name, field]) => {
    const alias = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return {
      name,
      alias: alias === name ? undefined : alias,
      decode: field.decode,
      required: field.required,
      fallback: field.fallback,
      tolerantFallback: field.tolerantFallback,
      nullIsValue: field.nullIsValue ?? false,
    };
  });
}

/** The member of a field under either name; undefined = absent. */
function memberOf(step: Step, value: Record<string, unknown>, issues: Issues): unknown {
  let member = value[step.name];
  if (step.alias !== undefined) {
    const other = value[step.alias];
    if (other !== undefined) {
      if (member !== undefined) return issues.add(`is given twice, also as ${step.alias}`, step.name);
      member = other;
    }
  }
  return member === null && step.nullIsValue !== true ? undefined : member;
}

function decodeMember(step: Step, member: unknown, issues: Issues): unknown {
  const before = issues.count;
  const decoded = step.decode(member, issues);
  if (issues.count !== before) issues.nest(before, step.name);
  return decoded;
}

function absent(step: Step, issues: Issues): unknown {
  const fallback = step.fallback ?? (issues.tolerant ? step.tolerantFallback : undefined);
  if (fallback !== undefined) return fallback();
  return step.required ? issues.add('is required', step.name) : undefined;
}

function decodeFields(
  plan: readonly Step[],
  value: Record<string, unknown>,
  result: Record<string, unknown>,
  issues: Issues,
): void {
  for (let index = 0; index < plan.length; index++) {
    const step = plan[index];
    const before = issues.count;
    const member = memberOf(step, value, issues);
    let decoded = member === undefined ? undefined : decodeMember(step, member, issues);
    if (decoded === undefined && issues.count === before) decoded = absent(step, issues);
    if (decoded !== undefined) result[step.name] = decoded;
  }
}

/** A message with these fields. Unknown members are dropped; the result has its members in the order of the fields. */
export function message<F extends Fields>(fields: F): Decode<MessageOf<F>> {
  const plan = planOf(fields);
  const isComplete = (_result: object, before: number, issues: Issues): _result is MessageOf<F> =>
    issues.count === before && !issues.full;
  return (value, issues) => {
    if (!isRecord(value)) return issues.add('must be an object');
    const before = issues.count;
    const result: Record<string, unknown> = {};
    decodeFields(plan, value, result, issues);
    return isComplete(result, before, issues) ? result : undefined;
  };
}

/** A message with exactly one of `members`, and the `common` fields besides. */
export function oneof<M extends Fields, C extends Fields>(members: M, common: C): Decode<OneofOf<M> & MessageOf<C>> {
  const memberPlan = planOf(members);
  const commonPlan = planOf(common);
  const names = memberPlan.map(({ name }) => name).join(', ');
  const isComplete = (_result: object, before: number, issues: Issues): _result is OneofOf<M> & MessageOf<C> =>
    issues.count === before && !issues.full;
  return (value, issues) => {
    if (!isRecord(value)) return issues.add('must be an object');
    const before = issues.count;
    const result: Record<string, unknown> = {};
    let found = 0;
    for (let index = 0; index < memberPlan.length; index++) {
      const step = memberPlan[index];
      const start = issues.count;
      const member = memberOf(step, value, issues);
      if (member === undefined && issues.count === start) continue;
      found++;
      if (member !== undefined) result[step.name] = decodeMember(step, member, issues);
    }
    if (found !== 1) issues.add(`must have exactly one of ${names}${found === 0 ? '' : `, not ${found}`}`);
    decodeFields(commonPlan, value, result, issues);
    return isComplete(result, before, issues) ? result : undefined;
  };
}
