import { A2AClientError } from '../client-error.js';
import { checkNames, type NamesOf } from '../option-names.js';
import { A2ATool } from './a2a-tool.js';
import { TOOL_OPTION_NAMES, type A2AToolCallOptions, type A2AToolOptions, type A2AToolTarget } from './tool-options.js';

/** What every provider of models allows. */
const LEGAL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * JSON schema of the arguments of a tool.
 *
 * @publicApi
 */
export interface A2AToolParameters {
  type: 'object';
  properties: { message: { type: 'string'; description: string } };
  required: ['message'];
  additionalProperties: false;
}

/**
 * What fits {@link A2AToolParameters}.
 *
 * @publicApi
 */
export interface A2AToolArguments {
  message: string;
}

/**
 * An agent as a tool of a model, in the form that most SDKs know.
 *
 * @publicApi
 */
export interface A2AToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: A2AToolParameters;
  /** See {@link A2ATool.execute}. Needs no `this`. */
  readonly execute: (args: unknown, options?: A2AToolCallOptions) => Promise<string>;
  /** See {@link A2ATool.close}. */
  readonly close: () => Promise<void>;
}

/**
 * How a tool is made of an agent.
 *
 * @publicApi
 */
export interface CreateA2AToolOptions extends A2AToolOptions {
  /** By which the model calls it: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** When to use it; for the model. */
  readonly description: string;
  /** What to write into `message`; for the model. */
  readonly messageDescription?: string;
}

const NAMES: NamesOf<CreateA2AToolOptions> = {
  ...TOOL_OPTION_NAMES,
  name: true,
  description: true,
  messageDescription: true,
};

/**
 * Makes an agent a tool of a model.
 *
 * ```ts
 * const recipes = createA2ATool('https://recipes.example.com', {
 *   name: 'ask_recipes',
 *   description: 'Knows what to cook',
 * });
 * ```
 *
 * @param target URL of the agent or of its card, the card, or a client that is bound to the agent
 * @throws A2AClientError `INVALID_TOOL`
 * @publicApi
 */
export function createA2ATool(target: A2AToolTarget, options: CreateA2AToolOptions): A2AToolDefinition {
  checkNames('The options of createA2ATool', options, NAMES, 'INVALID_TOOL');
  const { name, description, messageDescription, ...own } = options;
  if (typeof name !== 'string' || !LEGAL_NAME.test(name)) {
    throw new A2AClientError('INVALID_TOOL', 'The name of a tool must be 1 to 64 of A-Z a-z 0-9 _ -');
  }
  if (typeof description !== 'string' || description.trim() === '') {
    throw new A2AClientError('INVALID_TOOL', `The tool ${name} needs a description: it tells the model when to use it`);
  }
  const tool = new A2ATool(target, own);
  const usual =
    (own.conversation ?? false) === false ? 'The message to the agent, complete in itself' : 'The message to the agent';
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: { message: { type: 'string', description: messageDescription ?? usual } },
      required: ['message'],
      additionalProperties: false,
    },
    execute: (args, call) => tool.execute(args, call),
    close: () => tool.close(),
  };
}
