import {
  type AgentCard,
  type Artifact,
  type JsonValue,
  type ListTasksRequest,
  type ListTasksResponse,
  Role,
  type SendMessageRequest,
  type StreamResponse,
  type Struct,
  type Task,
  TaskState,
} from 'nestjs-a2a/protocol';
import { A2ARuntime, A2ATExtension, type NegotiationContext, type RuntimeCallContext } from 'nestjs-a2a/workflow';

const NEGOTIATION = A2ATExtension.NEGOTIATION_T.uri;

/** One thing that a stream does: tell something, wait, break, or fall silent until it is left. */
export type Step = StreamResponse | Error | Promise<unknown> | 'hang' | 'deaf';
/** What a call is answered with, made for its context. */
export type Script = (contextId: string) => readonly Step[];
export type TaskScript = (contextId: string) => Task | Error | 'hang';

export interface RuntimeScript {
  readonly send?: readonly Script[];
  readonly get?: readonly TaskScript[];
  readonly subscribe?: readonly Script[];
  readonly cancel?: TaskScript;
  readonly list?: (params: ListTasksRequest) => Task[] | Error;
}

/** A runtime that answers by a script, each list in its order, and writes down what it was asked. */
export class ScriptedRuntime extends A2ARuntime {
  readonly wire: string[] = [];
  readonly requests: SendMessageRequest[] = [];
  readonly contexts: RuntimeCallContext[] = [];
  /** Streams that are open now. */
  open = 0;
  private readonly sends: Script[];
  private readonly gets: TaskScript[];
  private readonly subscriptions: Script[];
  private contextId = '';

  constructor(private readonly script: RuntimeScript) {
    super();
    this.sends = [...(script.send ?? [])];
    this.gets = [...(script.get ?? [])];
    this.subscriptions = [...(script.subscribe ?? [])];
  }

  sendMessage(
    _card: AgentCard,
    request: SendMessageRequest,
    context: RuntimeCallContext,
  ): AsyncIterable<StreamResponse> {
    const { taskId, contextId = '', metadata } = request.message;
    const performative = performativeOf(metadata);
    this.wire.push(['send', taskId === undefined ? '' : `task=${taskId}`, performative].filter((t) => t).join(' '));
    this.requests.push(request);
    this.contexts.push(context);
    this.contextId = contextId;
    return this.play(this.sends.shift(), contextId, context.signal);
  }

  override getTask(_card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    this.wire.push(`get ${taskId}`);
    return this.answer(this.gets.shift(), context);
  }

  override cancelTask(_card: AgentCard, taskId: string, context: RuntimeCallContext): Promise<Task> {
    this.wire.push(`cancel ${taskId}`);
    return this.answer(this.script.cancel ?? ((id) => taskOf(id, TaskState.CANCELED)), context);
  }

  override subscribeToTask(
    _card: AgentCard,
    taskId: string,
    context: RuntimeCallContext,
  ): AsyncIterable<StreamResponse> {
    this.wire.push(`subscribe ${taskId}`);
    this.contexts.push(context);
    return this.play(this.subscriptions.shift(), this.contextId, context.signal);
  }

  override async listTasks(_card: AgentCard, params: ListTasksRequest): Promise<ListTasksResponse> {
    this.wire.push('list');
    const tasks = this.script.list?.(params) ?? [];
    if (tasks instanceof Error) throw tasks;
    return { tasks, nextPageToken: '', pageSize: 50, totalSize: tasks.length };
  }

  override closeConversation(_card: AgentCard, _contextId: string): void {
    this.wire.push('close conversation');
  }

  async close(): Promise<void> {
    this.wire.push('close');
  }

  private async *play(script: Script | undefined, contextId: string, signal: AbortSignal) {
    if (script === undefined) throw new Error('No answer is left in the script');
    this.open += 1;
    try {
      for (const step of script(contextId)) {
        if (step === 'hang') await aborted(signal);
        else if (step === 'deaf') await new Promise(() => undefined);
        else if (step instanceof Error) throw step;
        else if (step instanceof Promise) await step;
        else yield step;
      }
    } finally {
      this.open -= 1;
    }
  }

  private async answer(script: TaskScript | undefined, { signal }: RuntimeCallContext): Promise<Task> {
    if (script === undefined) throw new Error('No answer is left in the script');
    const answer = script(this.contextId);
    if (answer === 'hang') return aborted(signal);
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

function performativeOf(metadata: Struct | undefined): string {
  const context = metadata?.['negotiationContext'];
  return typeof context === 'object' && context !== null && 'performative' in context
    ? String(context['performative'])
    : '';
}

let messages = 0;

/** Metadata of a proposal. */
export function proposes(round = 1, others: Partial<NegotiationContext> | Struct = {}): Struct {
  return {
    [NEGOTIATION]: 'prompt',
    templateUri: 'urn:template',
    negotiationContext: { id: 'n1', round, maxRounds: 3, performative: 'PROPOSE', ...others },
  };
}

export interface TaskOptions {
  readonly id?: string;
  readonly says?: string;
  readonly metadata?: Struct;
  readonly artifacts?: readonly (readonly JsonValue[])[];
}

export function taskOf(contextId: string, state: TaskState, options: TaskOptions = {}): Task {
  const { id = 't', says, metadata, artifacts } = options;
  const message = says === undefined && metadata === undefined ? undefined : messageOf(says ?? '', metadata);
  return {
    id,
    contextId,
    status: { state, ...(message && { message }) },
    ...(artifacts && { artifacts: artifacts.map((values, index) => artifactOf(`a${index}`, values)) }),
  };
}

export function artifactOf(artifactId: string, values: readonly JsonValue[]): Artifact {
  return { artifactId, parts: values.map((value) => (typeof value === 'string' ? { text: value } : { data: value })) };
}

export function messageOf(text: string, metadata?: Struct) {
  messages += 1;
  return {
    messageId: `m${messages}`,
    role: Role.AGENT,
    parts: text === '' ? [] : [{ text }],
    ...(metadata && { metadata }),
  };
}

/** A script that answers with one task. */
export const task =
  (state: TaskState, options?: TaskOptions): Script =>
  (contextId) => [{ task: taskOf(contextId, state, options) }];

/** A script that answers a question about the task. */
export const stands =
  (state: TaskState, options?: TaskOptions): TaskScript =>
  (contextId) =>
    taskOf(contextId, state, options);

export const done = (...values: JsonValue[]): Script => task(TaskState.COMPLETED, { artifacts: [values] });

/** A script that answers with a message and no task. */
export const says =
  (text: string, metadata?: Struct): Script =>
  () => [{ message: messageOf(text, metadata) }];

/** A card of a scripted agent. */
export function scriptedCard(name: string, capabilities: AgentCard['capabilities'] = {}): AgentCard {
  return {
    name,
    description: 'Answers by a script',
    version: '1',
    supportedInterfaces: [{ url: 'http://agent.test/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, extensions: [{ uri: NEGOTIATION }], ...capabilities },
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
  };
}
