import { TaskState } from 'nestjs-a2a/protocol';
import {
  type MessageContent,
  ReceivedMessage,
  type SendMessageResult,
  type SendTaskOptions,
  WorkflowEngineClient,
} from 'nestjs-a2a/workflow';

/** What an agent of a scripted client does with a task. */
export type ScriptedAgent = (content: MessageContent, options: SendTaskOptions) => Promise<SendMessageResult>;

/** An engine client without a network: each agent is a function. */
export class ScriptedEngineClient extends WorkflowEngineClient {
  readonly sent: { agent: string; content: MessageContent }[] = [];
  readonly canceled: string[] = [];
  closed = 0;

  constructor(
    private readonly agents: Readonly<Record<string, ScriptedAgent>>,
    private readonly timeoutSeconds = 5,
  ) {
    super();
  }

  async sendTask(agent: string, content: MessageContent, options: object | null = {}): Promise<SendMessageResult> {
    this.sent.push({ agent, content });
    const script = this.agents[agent];
    if (script === undefined) throw new Error(`No agent ${agent}`);
    return script(content, options ?? {});
  }

  cancelTask(_agent: string, taskId: string): Promise<SendMessageResult> {
    this.canceled.push(taskId);
    return Promise.resolve(completed([]));
  }

  getTask(): Promise<SendMessageResult> {
    return Promise.reject(new Error('not scripted'));
  }

  listTasks(): Promise<never> {
    return Promise.reject(new Error('not scripted'));
  }

  subscribeToTask(): Promise<SendMessageResult> {
    return Promise.reject(new Error('not scripted'));
  }

  callbackTimeoutSeconds(): number {
    return this.timeoutSeconds;
  }

  setControlPoint(): void {
    return undefined;
  }

  setEventCallback(): void {
    return undefined;
  }

  close(): Promise<void> {
    this.closed += 1;
    return Promise.resolve();
  }
}

/** A task that completed with one artifact of these values. */
export function completed(values: readonly (string | number | object)[]): SendMessageResult {
  return resultOf(TaskState.COMPLETED, values);
}

/** A task that failed, and what it had until then. */
export function failed(values: readonly (string | number | object)[] = []): SendMessageResult {
  return resultOf(TaskState.FAILED, values);
}

function resultOf(state: TaskState, values: readonly (string | number | object)[]): SendMessageResult {
  const parts = values.map((value) =>
    typeof value === 'string' ? { text: value } : { data: JSON.parse(JSON.stringify(value)) },
  );
  const artifacts = parts.length === 0 ? [] : [{ artifactId: 'a', parts }];
  const received = new ReceivedMessage(null, {}, artifacts);
  return {
    receivedMessages: [received],
    outputs: received.outputs(true),
    task: { id: 't', contextId: 'c', status: { state } },
    taskState: state,
    text: '',
    metadata: {},
    failureCode: null,
    failureMessage: null,
  };
}

/** Never answers; fails with the signal's reason when it is told to stop. */
export const hanging: ScriptedAgent = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
