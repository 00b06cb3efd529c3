import { jsonSchema, tool, type Tool } from 'ai';
import type { A2AToolArguments, A2AToolDefinition } from '../create-a2a-tool.js';
import { assertDistinctNames } from '../duplicate-tools.js';

/**
 * A tool for the AI SDK.
 *
 * @publicApi
 */
export type AiTool = Tool<A2AToolArguments, string>;

/**
 * Makes a tool for `generateText`, `streamText` and agents of the AI SDK. Its abort signal ends the call of the agent.
 *
 * @publicApi
 */
export function toAiTool({ description, parameters, execute }: A2AToolDefinition): AiTool {
  return tool({
    description,
    inputSchema: jsonSchema<A2AToolArguments>(parameters),
    execute: (args: A2AToolArguments, { abortSignal }: { abortSignal?: AbortSignal }): Promise<string> =>
      execute(args, { signal: abortSignal }),
  });
}

/**
 * The same for several, by their names: what the option `tools` of the AI SDK takes.
 *
 * @throws A2AClientError `DUPLICATE_TOOL`
 * @publicApi
 */
export function toAiTools(tools: readonly A2AToolDefinition[]): Record<string, AiTool> {
  assertDistinctNames(tools);
  return Object.fromEntries(tools.map((definition) => [definition.name, toAiTool(definition)]));
}
