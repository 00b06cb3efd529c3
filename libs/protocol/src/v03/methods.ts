import { type A2AMethod, V0_3_METHODS } from '../rpc/methods.js';

const names: ReadonlyMap<A2AMethod, string> = new Map([...V0_3_METHODS].map(([name, method]) => [method, name]));

/** What 0.3 calls a method; undefined for `ListTasks`, which it does not have. */
export function toV03Method(method: A2AMethod): string | undefined {
  return names.get(method);
}
