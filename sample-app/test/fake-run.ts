import { ServerCallContext, type AgentEmitter, type AgentMessage, type RequestContext } from 'nestjs-a2a';
import { Role, TaskState, type Part, type Task } from 'nestjs-a2a/protocol';

/** One thing that an executor emitted: a state with its text, or an artifact. */
export interface Emitted {
  readonly state?: TaskState;
  readonly text?: string;
  readonly artifact?: string;
  readonly parts?: readonly Part[];
}

/** An emitter that writes down what it is given. */
export class RecordingEmitter implements AgentEmitter {
  readonly events: Emitted[] = [];

  constructor(private readonly onEvent: (event: Emitted) => void = () => undefined) {}

  async updateStatus(state: TaskState, message?: AgentMessage): Promise<void> {
    this.record({ state, text: typeof message === 'string' ? message : undefined });
  }

  working = (message?: AgentMessage) => this.updateStatus(TaskState.WORKING, message);
  requireInput = (message?: AgentMessage) => this.updateStatus(TaskState.INPUT_REQUIRED, message);
  requireAuth = (message?: AgentMessage) => this.updateStatus(TaskState.AUTH_REQUIRED, message);
  complete = (message?: AgentMessage) => this.updateStatus(TaskState.COMPLETED, message);
  fail = (message?: AgentMessage) => this.updateStatus(TaskState.FAILED, message);
  reject = (message?: AgentMessage) => this.updateStatus(TaskState.REJECTED, message);
  text = () => Promise.reject(new Error('not used'));
  sendMessage = () => Promise.reject(new Error('not used'));

  addArtifact: AgentEmitter['addArtifact'] = async (parts, options) => {
    const list = typeof parts === 'string' ? [{ text: parts }] : 'length' in parts ? parts : [parts];
    this.record({ artifact: options?.name, parts: list });
    return options?.artifactId ?? 'artifact';
  };

  detach(): void {
    throw new Error('not used');
  }

  get states(): (TaskState | undefined)[] {
    return this.events.map(({ state }) => state);
  }

  get texts(): string[] {
    return this.events.flatMap(({ text }) => (text === undefined ? [] : [text]));
  }

  private record(event: Emitted): void {
    this.events.push(event);
    this.onEvent(event);
  }
}

/** What an executor is given for a message of these parts. */
export function fakeContext(parts: Part[], given: { task?: Task; signal?: AbortSignal } = {}): RequestContext {
  return {
    message: { messageId: 'm1', role: Role.USER, parts },
    text: '',
    taskId: 't1',
    contextId: 'c1',
    task: given.task,
    referencedTasks: [],
    configuration: {},
    metadata: undefined,
    messages: {
      async *[Symbol.asyncIterator]() {
        // Nobody steers these runs.
      },
    },
    signal: given.signal ?? new AbortController().signal,
    call: new ServerCallContext({
      user: { id: '', authenticated: false },
      tenant: '',
      protocolVersion: '1.0',
      binding: 'IN_PROCESS',
      requestedExtensions: [],
      headers: {},
    }),
    sessionKey: 's1',
    previousTasks: () => Promise.resolve([]),
    conversation: () => Promise.resolve([]),
  };
}
