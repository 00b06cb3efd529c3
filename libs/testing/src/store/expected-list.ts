import type { TaskRecord } from 'nestjs-a2a';
import type { BenchQuery } from './store-bench.js';

/** The ids that a search over these records must give, in order; the agent and tenant are taken to be theirs. */
export function expectedIds(records: readonly TaskRecord[], query: BenchQuery = {}): string[] {
  const { scope, contextId, state, statusFrom = -Infinity, statusBefore = Infinity } = query;
  return records
    .filter((record) => scope?.owner === undefined || record.owner === scope.owner)
    .filter((record) => contextId === undefined || record.contextId === contextId)
    .filter((record) => state === undefined || record.state === state)
    .filter(({ statusMillis }) => statusMillis >= statusFrom && statusMillis < statusBefore)
    .sort((a, b) => b.statusMillis - a.statusMillis || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}
