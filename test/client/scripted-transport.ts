import type { A2ATransport, TransportStreamOptions, WireFrame } from 'nestjs-a2a/client';
import type { A2AMethod, StreamResponse, TaskState } from 'nestjs-a2a/protocol';

/** What a call is answered with: a value, or an error that is thrown. */
export type Reply = object | Error;
/** The frames of one stream; an error breaks it, `'hang'` lets it wait for its signal. */
export type Script = readonly (WireFrame | Error | 'hang')[];

export interface SeenCall {
  readonly method: A2AMethod;
  readonly params: object;
  readonly lastEventId?: string;
}

/** A transport that answers by a script, each list in its order. */
export class ScriptedTransport implements A2ATransport {
  readonly binding = 'SCRIPT';
  readonly seen: SeenCall[] = [];
  /** Streams that are open now. */
  open = 0;
  private readonly replies: Reply[];
  private readonly scripts: Script[];

  constructor(script: { readonly replies?: readonly Reply[]; readonly streams?: readonly Script[] }) {
    this.replies = [...(script.replies ?? [])];
    this.scripts = [...(script.streams ?? [])];
  }

  async call(method: A2AMethod, params: object): Promise<unknown> {
    this.seen.push({ method, params });
    const reply = this.replies.shift();
    if (reply === undefined) throw new Error(`No reply is left for ${method}`);
    if (reply instanceof Error) throw reply;
    return reply;
  }

  async *stream(
    method: A2AMethod,
    params: object,
    { lastEventId, signal }: TransportStreamOptions,
  ): AsyncGenerator<WireFrame, void, undefined> {
    this.seen.push({ method, params, ...(lastEventId !== undefined && { lastEventId }) });
    const script = this.scripts.shift();
    if (script === undefined) throw new Error(`No stream is left for ${method}`);
    this.open += 1;
    try {
      for (const step of script) {
        if (step === 'hang') {
          await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
        } else if (step instanceof Error) throw step;
        else yield step;
      }
    } finally {
      this.open -= 1;
    }
  }

  close(): void {
    // Holds nothing.
  }
}

const ids = { taskId: 't', contextId: 'c' };

export const status = (state: TaskState, id?: string): WireFrame => ({
  ...(id !== undefined && { id }),
  response: { statusUpdate: { ...ids, status: { state } } } satisfies StreamResponse,
});

export const chunk = (text: string, { id, append = true }: { id?: string; append?: boolean } = {}): WireFrame => ({
  ...(id !== undefined && { id }),
  response: {
    artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append },
  } satisfies StreamResponse,
});

export const taskOf = (state: TaskState, ...texts: string[]) => ({
  id: 't',
  contextId: 'c',
  status: { state },
  ...(texts.length > 0 && { artifacts: [{ artifactId: 'a', parts: texts.map((text) => ({ text })) }] }),
});

export const snapshot = (state: TaskState, ...texts: string[]): WireFrame => ({
  response: { task: taskOf(state, ...texts) } satisfies StreamResponse,
});
