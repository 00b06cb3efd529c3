import type {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  Task,
} from 'nestjs-a2a/protocol';
import { A2ARuntime, type RuntimeCallContext } from '../client/a2a-runtime.js';
import { AgentAuthenticator } from '../credentials/agent-authenticator.js';

/** A runtime that outlives clients: they come and go with the cards of the agents, and must not close it. */
export class SharedRuntime extends A2ARuntime {
  constructor(private readonly inner: A2ARuntime) {
    super();
  }

  sendMessage(
    card: AgentCard,
    request: SendMessageRequest,
    context: RuntimeCallContext,
  ): AsyncIterable<StreamResponse> {
    return this.inner.sendMessage(card, request, context);
  }

  override getTask(card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    return this.inner.getTask(card, taskId, context);
  }

  override listTasks(
    card: AgentCard,
    params: ListTasksRequest,
    context: RuntimeCallContext,
  ): Promise<ListTasksResponse> {
    return this.inner.listTasks(card, params, context);
  }

  override cancelTask(card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    return this.inner.cancelTask(card, taskId, context);
  }

  override subscribeToTask(
    card: AgentCard,
    taskId: string,
    context: RuntimeCallContext,
  ): AsyncIterable<StreamResponse> {
    return this.inner.subscribeToTask(card, taskId, context);
  }

  override closeConversation(card: AgentCard, contextId: string): void | Promise<void> {
    return this.inner.closeConversation(card, contextId);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The same for credentials. */
export class SharedAuthenticator extends AgentAuthenticator {
  constructor(private readonly inner: AgentAuthenticator) {
    super();
  }

  headersFor(agentName: string, card: AgentCard, signal: AbortSignal): Promise<Record<string, string>> {
    return this.inner.headersFor(agentName, card, signal);
  }
}
