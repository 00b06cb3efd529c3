import { A2AClientError } from '../client-error.js';
import type { A2AToolDefinition } from './create-a2a-tool.js';

/** @throws A2AClientError `DUPLICATE_TOOL` when two tools have the same name */
export function assertDistinctNames(tools: readonly A2AToolDefinition[]): void {
  const seen = new Set<string>();
  for (const { name } of tools) {
    if (seen.has(name)) {
      throw new A2AClientError('DUPLICATE_TOOL', `Two tools are named ${name}: give the tools of one agent a prefix`);
    }
    seen.add(name);
  }
}
