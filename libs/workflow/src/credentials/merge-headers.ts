import { SecurityException } from '../errors/workflow.error.js';

export type Headers = Readonly<Record<string, string>>;

/**
 * Headers from several places in one. Letter case of names does not count; the same value twice is one.
 *
 * @throws SecurityException `Authentication header conflict for agent <agent>: <Header>`
 */
export function mergeHeaders(agent: string, ...parts: readonly Headers[]): Record<string, string> {
  const all = new Map<string, readonly [name: string, value: string]>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    const key = name.toLowerCase();
    const [, before] = all.get(key) ?? [name, value];
    if (before !== value) throw new SecurityException(`Authentication header conflict for agent ${agent}: ${name}`);
    if (!all.has(key)) all.set(key, [name, value]);
  }
  return Object.fromEntries(all.values());
}
