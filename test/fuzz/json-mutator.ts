import type { Random } from './random.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One place of a JSON value that can be replaced or taken out. */
interface Slot {
  readonly key: string;
  get(): Json;
  set(value: Json): void;
  remove(): void;
  /** Gives the value another name; a list has none. */
  rename(name: string): void;
}

const LONG = 'x'.repeat(20_000);
const KEYS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', '$ref', 'kind', 'ünï', '0', 'tenant'];
const ODD: readonly (() => Json)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => Number.MAX_SAFE_INTEGER,
  () => 1e308,
  () => '',
  () => ' ',
  () => '0',
  () => 'null',
  () => '\u0000',
  () => '\ud800',
  () => '\u2028\r\n',
  () => '🦀'.repeat(50),
  () => LONG,
  () => '../../etc/passwd',
  () => '${7*7}',
  () => '%00%zz',
  () => 'TASK_STATE_WORKING',
  () => 'ROLE_AGENT',
  () => '2026-13-45T99:99:99Z',
  () => '=====',
  () => [],
  () => [[]],
  () => [null],
  () => ({}),
  () => ({ text: 'a', raw: 'YQ==', url: 'x', data: {} }),
  () => nested(200),
  () => Array.from({ length: 2_000 }, (_, index) => index),
];

/** Changes a JSON value at a few places, without regard to what it means. */
export function mutated(value: Json, random: Random): Json {
  const root: { [key: string]: Json } = { root: structuredClone(value) };
  const rounds = 1 + random.below(3);
  for (let round = 0; round < rounds; round++) mutateOnce(root, random);
  return root['root'] ?? null;
}

function mutateOnce(root: Json, random: Random): void {
  const slots = slotsOf(root);
  // An earlier round may have taken everything out.
  if (slots.length === 0) return;
  const slot = random.pick(slots);
  switch (random.below(8)) {
    case 0:
      return slot.remove();
    case 1:
      return slot.rename(random.chance(0.5) ? snakeOf(slot.key) : random.pick(KEYS));
    case 2:
      return slot.set([slot.get()]);
    case 3:
      return slot.set({ [slot.key]: slot.get() });
    case 4:
      return grow(slot, random);
    case 5:
      return slot.set(structuredClone(random.pick(slots).get()));
    default:
      return slot.set(random.pick(ODD)());
  }
}

/** Adds what nobody asked for. */
function grow(slot: Slot, random: Random): void {
  const value = slot.get();
  if (Array.isArray(value)) value.push(...structuredClone(value), random.pick(ODD)());
  else if (typeof value === 'object' && value !== null) define(value, random.pick(KEYS), random.pick(ODD)());
  else if (typeof value === 'string') slot.set(value + value);
  else slot.set(String(value));
}

function slotsOf(root: Json): Slot[] {
  const slots: Slot[] = [];
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const found = Array.isArray(value) ? ofList(value) : typeof value === 'object' && value ? ofObject(value) : [];
    for (const slot of found) {
      slots.push(slot);
      open.push(slot.get());
    }
  }
  return slots;
}

function ofList(list: Json[]): Slot[] {
  return list.map((value, index) => ({
    key: String(index),
    get: () => value,
    set: (next) => void (list[index] = next),
    remove: () => void list.splice(index, 1),
    rename: () => undefined,
  }));
}

function ofObject(object: { [key: string]: Json }): Slot[] {
  return Object.keys(object).map((key) => ({
    key,
    get: () => object[key] ?? null,
    set: (next) => define(object, key, next),
    remove: () => void delete object[key],
    rename: (name) => {
      const value = object[key] ?? null;
      delete object[key];
      define(object, name, value);
    },
  }));
}

/** Sets an own key, `__proto__` too. */
function define(object: { [key: string]: Json }, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function snakeOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function nested(depth: number): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
