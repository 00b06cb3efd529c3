import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { isRawPart, Role, TaskState } from 'nestjs-a2a/protocol';

export const PROBE_EXTENSION = 'https://example.com/ext/probe/v1';

type Behaviour = (context: RequestContext, emitter: AgentEmitter, argument: string) => Promise<void>;

/** An agent whose behaviour is chosen by the first word of the message. */
export class ProbeExecutor extends AgentExecutor {
  /** An event by the id of a task lets the task go on that is `held`. */
  static readonly gates = new EventEmitter();
  private readonly logger = new Logger('Probe');
  private readonly behaviours = new Map<string, Behaviour>(
    Object.entries({
      message: (_, emitter, text) => emitter.sendMessage(text),
      slow: (context, emitter, argument) => this.slow(context, emitter, argument),
      burst: (context, emitter, argument) => this.slow(context, emitter, argument),
      held: async (context, emitter, argument) => {
        await emitter.working();
        await once(ProbeExecutor.gates, context.taskId, { signal: context.signal });
        await this.chunks(context, emitter, ...numbers(argument));
      },
      progress: async (_, emitter, argument) => {
        const [count = 0] = numbers(argument);
        for (let n = 1; n <= count; n++) await emitter.working(`m${n}`);
        await emitter.complete('done');
      },
      pause: (_, emitter, question) => emitter.requireInput(question),
      auth: (_, emitter) => emitter.requireAuth('Send "token secret"'),
      fail: async (_, emitter, text) => {
        await emitter.working();
        throw new Error(text);
      },
      throw: async (_context, _emitter, text) => {
        throw new Error(text);
      },
      reject: (_, emitter, text) => emitter.reject(text),
      quiet: async ({ signal }, emitter, argument) => {
        await delay(numbers(argument)[0], undefined, { signal });
        await emitter.complete();
      },
      late: async (context, emitter, argument) => {
        emitter.detach();
        void this.late(context, emitter, numbers(argument)[0] ?? 0);
      },
      stubborn: async (_, emitter, argument) => {
        await emitter.working();
        await delay(numbers(argument)[0]);
        await this.attempt(() => emitter.complete());
      },
      afterlife: async (_, emitter) => {
        await emitter.complete();
        await this.attempt(() => emitter.working());
        await this.attempt(() => emitter.addArtifact('from beyond'));
      },
      twofold: async (_, emitter) => {
        await emitter.working();
        await this.attempt(() => emitter.sendMessage('a direct message'));
        await emitter.complete();
      },
      orphan: async (_, emitter) => {
        await this.attempt(() => emitter.addArtifact('more', { artifactId: 'nowhere', append: true }));
        await emitter.complete();
      },
      cycle: async (_, emitter) => {
        const metadata: Record<string, unknown> = {};
        metadata['self'] = metadata;
        await this.attempt(() => Reflect.apply(emitter.addArtifact, emitter, ['cyclic', { metadata }]));
        await emitter.complete();
      },
      file: async (_, emitter) => {
        const raw = Buffer.from('hello').toString('base64');
        await emitter.addArtifact({ raw, filename: 'hello.txt', mediaType: 'text/plain' });
        await emitter.complete();
      },
      data: async (_, emitter) => {
        await emitter.addArtifact({ data: { key: 'value', count: 42 } });
        await emitter.complete();
      },
      whoami: async ({ call }, emitter) => {
        call.activateExtension(PROBE_EXTENSION);
        await emitter.addArtifact({
          data: {
            user: call.user.id,
            authenticated: call.user.authenticated,
            tenant: call.tenant,
            version: call.protocolVersion,
            extensions: [...call.requestedExtensions],
          },
        });
        await emitter.complete();
      },
      count: async ({ task, referencedTasks }, emitter) => {
        const history = task?.history?.length ?? 1;
        await emitter.addArtifact({ data: { history, referenced: referencedTasks.length } });
        await emitter.complete();
      },
    } satisfies Record<string, Behaviour>),
  );

  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const { word, argument } = split(firstText(context));
    const waiting = firstWordOfTask(context);
    if (waiting === 'pause' && word !== 'pause') return this.answerPause(context, emitter);
    if (waiting === 'auth') return this.answerAuth(context, emitter);
    const behaviour = this.behaviours.get(word);
    if (behaviour !== undefined) return behaviour(context, emitter, argument);
    await emitter.working();
    await emitter.addArtifact(word === 'echo' ? argument : firstText(context));
    await emitter.complete();
  }

  private async slow(context: RequestContext, emitter: AgentEmitter, argument: string): Promise<void> {
    await emitter.working();
    await this.chunks(context, emitter, ...numbers(argument));
  }

  private async chunks({ signal }: RequestContext, emitter: AgentEmitter, count = 0, pause?: number): Promise<void> {
    for (let n = 1; n <= count; n++) {
      if (pause !== undefined) await delay(pause, undefined, { signal });
      signal.throwIfAborted();
      await emitter.text(`c${n} `);
    }
    await emitter.complete();
  }

  private async late({ signal }: RequestContext, emitter: AgentEmitter, milliseconds: number): Promise<void> {
    await this.attempt(async () => {
      await delay(milliseconds, undefined, { signal });
      await emitter.text('late');
      await emitter.complete();
    });
  }

  private async answerPause(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    const text = firstText(context);
    if (text === 'size') {
      const messages = (context.task?.history ?? []).filter((message) => message.role === Role.USER);
      const parts = messages.flatMap((message) => message.parts).filter(isRawPart);
      const bytes = parts.reduce((sum, part) => sum + Buffer.from(part.raw, 'base64').length, 0);
      await emitter.addArtifact({ data: { bytes } });
    } else {
      await emitter.addArtifact(`got: ${text}`);
    }
    await emitter.complete();
  }

  private async answerAuth(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (firstText(context) !== 'token secret') return emitter.requireAuth('Send "token secret"');
    await emitter.addArtifact('got: token');
    await emitter.complete();
  }

  /** What the library throws at an agent's author is logged, and the agent goes on. */
  private async attempt(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      this.logger.log(`refused: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function firstText(context: RequestContext): string {
  const part = context.message.parts.find((entry) => 'text' in entry);
  return part !== undefined && 'text' in part ? part.text : '';
}

function split(text: string): { readonly word: string; readonly argument: string } {
  const space = text.indexOf(' ');
  return space < 0 ? { word: text, argument: '' } : { word: text.slice(0, space), argument: text.slice(space + 1) };
}

function numbers(text: string): number[] {
  return text.split(' ').filter(Boolean).map(Number);
}

/** What the task waits for, by the message that began it. */
function firstWordOfTask({ task }: RequestContext): string | undefined {
  const first = task?.history?.find((message) => message.role === Role.USER);
  if (first === undefined || task?.status.state === TaskState.COMPLETED) return undefined;
  const part = first.parts.find((entry) => 'text' in entry);
  return part !== undefined && 'text' in part ? split(part.text).word : undefined;
}
