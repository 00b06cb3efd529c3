import { A2A_EXTENSIONS_HEADER, type AgentCard, parseExtensionsHeader } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../../errors/workflow.error.js';

/** The headers, with one that names these extensions: theirs first, then those which it had before. */
export function withExtensions(
  headers: Readonly<Record<string, string>>,
  uris: readonly string[],
): Record<string, string> {
  const others: [string, string][] = [];
  const before: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === A2A_EXTENSIONS_HEADER.toLowerCase()) before.push(value);
    else others.push([name, value]);
  }
  const all = [...new Set([...uris, ...parseExtensionsHeader(before)])];
  return Object.fromEntries(all.length === 0 ? others : [...others, [A2A_EXTENSIONS_HEADER, all.join(', ')]]);
}

/** @throws WorkflowArgumentError `Required extension not activated: <uri>` */
export function requireExtensions(card: AgentCard, activated: readonly string[]): void {
  const missing = card.capabilities.extensions?.find(
    ({ uri, required }) => required === true && !activated.includes(uri),
  );
  if (missing !== undefined) throw new WorkflowArgumentError(`Required extension not activated: ${missing.uri}`);
}
