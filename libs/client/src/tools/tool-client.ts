import type { SendMessageRequest, Struct } from 'nestjs-a2a/protocol';
import type { ChatClient } from '../a2a-chat.js';
import { A2AClient } from '../a2a-client.js';
import { A2AClientError } from '../client-error.js';
import type { AgentTarget } from '../discovery/agent-target.js';
import type { A2AToolOptions } from './tool-options.js';

/** A client that was given, or one of the tool's own. */
export interface ToolClient<Given extends ChatClient = ChatClient> {
  readonly client: Given | A2AClient;
  /** Ends the client, if it is the tool's own. */
  close(): Promise<void>;
}

/** The client that calls a target. */
export function toolClientFor<Given extends ChatClient>(
  target: AgentTarget | Given,
  { clientOptions }: A2AToolOptions = {},
): ToolClient<Given> {
  if (isClient(target) && clientOptions !== undefined) {
    throw new A2AClientError(
      'INVALID_TOOL',
      'clientOptions are those of a client that the tool makes: this one was given, and has its own',
    );
  }
  if (isClient(target)) return { client: target, close: () => Promise.resolve() };
  const client = new A2AClient(clientOptions, target);
  return { client, close: () => client.close() };
}

/** A client whose messages all carry some metadata. */
export function withMetadata(client: ChatClient, metadata: Struct | undefined): ChatClient {
  if (metadata === undefined) return client;
  const marked = (request: SendMessageRequest): SendMessageRequest => ({
    ...request,
    message: { ...request.message, metadata: { ...request.message.metadata, ...metadata } },
  });
  return {
    sendMessage: (request, options) => client.sendMessage(marked(request), options),
    sendMessageStream: (request, options) => client.sendMessageStream(marked(request), options),
    waitForTask: (taskId, options) => client.waitForTask(taskId, options),
  };
}

function isClient<Given extends ChatClient>(target: AgentTarget | Given): target is Given {
  return typeof target === 'object' && 'sendMessage' in target;
}
