import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString, writeHeapSnapshot } from 'node:v8';
import { runInNewContext } from 'node:vm';

// The flag may be set at any time, and shows in contexts made afterwards.
setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** The heap in use after two forced collections, in bytes. */
export async function settledHeap(): Promise<number> {
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (typeof collect === 'function') collect();
  }
  return process.memoryUsage().heapUsed;
}

/** What is read of a heap snapshot: each node is some numbers in a row, texts are numbers of `strings`. */
interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: string[]; readonly node_types: [string[]] } };
  readonly nodes: number[];
  readonly strings: string[];
}

/** How many objects of the classes of these names are alive, their prototypes counted. */
export function countInstances(names: readonly string[]): Record<string, number> {
  if (names.length === 0) return {};
  const { nodes, strings, snapshot } = takeSnapshot();
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const type = fields.indexOf('type');
  const name = fields.indexOf('name');
  const object = types[0].indexOf('object');
  const wanted = new Map(names.map((entry) => [strings.indexOf(entry), entry]));
  const counts: Record<string, number> = Object.fromEntries(names.map((entry) => [entry, 0]));
  for (let node = 0; node < nodes.length; node += fields.length) {
    const found = nodes[node + type] === object ? wanted.get(nodes[node + name]) : undefined;
    if (found !== undefined) counts[found]++;
  }
  return counts;
}

/** By way of a file: as a stream it takes many times longer. */
function takeSnapshot(): Snapshot {
  const file = join(tmpdir(), `census-${process.pid}.heapsnapshot`);
  try {
    const snapshot: Snapshot = JSON.parse(readFileSync(writeHeapSnapshot(file), 'utf8'));
    return snapshot;
  } finally {
    rmSync(file, { force: true });
  }
}
