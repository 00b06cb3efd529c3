import { DynamicStructuredTool } from '@langchain/core/tools';
import type { A2AToolArguments, A2AToolDefinition, A2AToolParameters } from '../create-a2a-tool.js';
import { assertDistinctNames } from '../duplicate-tools.js';

/**
 * A tool for LangChain.
 *
 * @publicApi
 */
export type LangChainTool = DynamicStructuredTool<A2AToolParameters, A2AToolArguments, A2AToolArguments, string>;

/**
 * Makes a tool for `bindTools` and agents of LangChain. The signal of its configuration ends the call of the agent.
 *
 * @publicApi
 */
export function toLangChainTool({ name, description, parameters, execute }: A2AToolDefinition): LangChainTool {
  return new DynamicStructuredTool<A2AToolParameters, A2AToolArguments, A2AToolArguments, string>({
    name,
    description,
    schema: parameters,
    func: (args, _runManager, config) => execute(args, { signal: config?.signal }),
  });
}

/**
 * The same for several.
 *
 * @throws A2AClientError `DUPLICATE_TOOL`
 * @publicApi
 */
export function toLangChainTools(tools: readonly A2AToolDefinition[]): LangChainTool[] {
  assertDistinctNames(tools);
  return tools.map(toLangChainTool);
}
