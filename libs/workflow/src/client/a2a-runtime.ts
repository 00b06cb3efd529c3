import type {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  Task,
} from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../errors/workflow.error.js';

/**
 * What goes with a call to an agent besides its params.
 *
 * @publicApi
 */
export interface RuntimeCallContext {
  /** Credentials and `A2A-Extensions`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Long-lived streams of notifications want a connection of their own. */
  readonly channel: 'task' | 'notification';
  /** To be called whenever anything arrives from the agent, heartbeats of a stream included. */
  readonly transportActivity: () => void;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

/**
 * How the engine reaches agents. Replace it to send through something else entirely, a vendor's SDK for example.
 *
 * @publicApi
 */
export abstract class A2ARuntime {
  /**
   * Sends a message. Ends when the agent has nothing more to say.
   *
   * @throws RemoteA2AError what the agent answered instead
   */
  abstract sendMessage(
    card: AgentCard,
    request: SendMessageRequest,
    context: RuntimeCallContext,
  ): AsyncIterable<StreamResponse>;

  getTask(_card: AgentCard, _taskId: string, _context: RuntimeCallContext): Promise<Task> {
    return unsupported('getTask');
  }

  listTasks(_card: AgentCard, _params: ListTasksRequest, _context: RuntimeCallContext): Promise<ListTasksResponse> {
    return unsupported('listTasks');
  }

  cancelTask(_card: AgentCard, _taskId: string, _context: RuntimeCallContext): Promise<Task> {
    return unsupported('cancelTask');
  }

  /** Follows a task. Ends when its stream ends. */
  subscribeToTask(_card: AgentCard, _taskId: string, _context: RuntimeCallContext): AsyncIterable<StreamResponse> {
    throw unsupportedError('subscribeToTask');
  }

  /** A conversation is over: nothing more will be sent with this context id. Called once for each, whatever happened. */
  closeConversation(_card: AgentCard, _contextId: string): void | Promise<void> {
    return undefined;
  }

  /** Ends what is open. */
  abstract close(): Promise<void>;
}

function unsupportedError(operation: string): WorkflowStateError {
  return new WorkflowStateError(`${operation} not supported by this runtime`);
}

function unsupported(operation: string): Promise<never> {
  return Promise.reject(unsupportedError(operation));
}
