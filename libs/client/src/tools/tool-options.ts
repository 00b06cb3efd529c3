import type { Struct } from 'nestjs-a2a/protocol';
import type { ChatClient } from '../a2a-chat.js';
import type { A2AClientOptions } from '../client-options.js';
import type { AgentTarget } from '../discovery/agent-target.js';
import type { NamesOf } from '../option-names.js';

/**
 * The agent behind a tool: as `A2AClient` takes one, or a client that is bound to it.
 *
 * @publicApi
 */
export type A2AToolTarget = AgentTarget | ChatClient;

/**
 * How a tool calls its agent.
 *
 * @publicApi
 */
export interface A2AToolOptions {
  /** Of the client that the tool makes for itself, or an API key. A client that was given has its own. */
  readonly clientOptions?: A2AClientOptions | string;
  /**
   * Whether all calls are turns of one conversation, one after the other; a text is the contextId of one to go on with.
   * Such a tool is for one user. Default: false, each call stands alone.
   */
  readonly conversation?: boolean | string;
  /** Longest answer in UTF-16 units; what is longer is cut, and says so. Default: 100,000. */
  readonly maxAnswerLength?: number;
  /** Goes with each message. */
  readonly metadata?: Struct;
}

/**
 * What may come with a call of a tool.
 *
 * @publicApi
 */
export interface A2AToolCallOptions {
  /** Ends the call; its reason is thrown. The agent may go on with its task. */
  readonly signal?: AbortSignal;
}

export const TOOL_OPTION_NAMES: NamesOf<A2AToolOptions> = {
  clientOptions: true,
  conversation: true,
  maxAnswerLength: true,
  metadata: true,
};
export const DEFAULT_MAX_ANSWER_LENGTH = 100_000;
