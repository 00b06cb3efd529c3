import { afterEach, describe, expect, it } from '@jest/globals';
import { TaskState, type Task } from 'nestjs-a2a/protocol';
import { from, Observable, of, throwError } from 'rxjs';
import { AgentEmitterError, type AgentEmitterErrorCode } from '../agent/agent-emitter.error.js';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import { AgentExecutor } from '../agent/agent-executor.js';
import type { AgentOutput } from '../agent/agent-output.js';
import { CopyingStore } from '../../test/support/copying-store.js';
import { AgentsUnderTest, artifactsOf, historyOf, textOf, type Execute } from '../../test/support/in-process-agent.js';
import { deferred } from './deferred.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

const stateOf = (task: Task): string => task.status.state;

describe('execute() returns without an end', () => {
  const cases: [string, Execute, TaskState][] = [
    ['no event at all', async () => undefined, TaskState.FAILED],
    ['an artifact', async (_, emitter) => void (await emitter.addArtifact('work')), TaskState.COMPLETED],
    ['a status', (_, emitter) => emitter.working(), TaskState.COMPLETED],
    ['a question', (_, emitter) => emitter.requireInput('which?'), TaskState.INPUT_REQUIRED],
    ['a question for a credential', (_, emitter) => emitter.requireAuth('token?'), TaskState.AUTH_REQUIRED],
    ['an end', (_, emitter) => emitter.reject('no'), TaskState.REJECTED],
  ];

  it.each(cases)('after %s', async (_, execute, state) => {
    const agent = agents.make({ execute });
    const task = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect(stateOf(task)).toBe(state);
    expect(await agent.stored(task.id)).toEqual(task);
  });

  it('after no event in a task that time made', async () => {
    const go = deferred<void>();
    const agent = agents.make({ settings: { taskCreationDelayMs: 1 }, execute: () => go.promise });
    const task = await agent.begin('hi');
    const stream = await agent.subscribe(task.id);
    go.resolve();
    await stream.over;
    const ended = await agent.get(task.id);
    expect([stateOf(ended), textOf(ended.status.message)]).toEqual([
      TaskState.FAILED,
      'The agent ended without an answer',
    ]);
  });

  it('after no event in a follow-up run: FAILED, whatever earlier runs made', async () => {
    const agent = agents.make({
      execute: ({ task }, emitter) => (task === undefined ? emitter.requireInput('which?') : undefined),
    });
    const asked = await agent.sendForTask('hi');
    expect(stateOf(await agent.sendForTask('this', { taskId: asked.id }))).toBe(TaskState.FAILED);
  });
});

describe('Executor throws', () => {
  const thrown: [string, Execute][] = [
    [
      'before any event, synchronously',
      () => {
        throw new Error('secret');
      },
    ],
    [
      'before any event, as a rejection',
      async () => {
        throw new Error('secret');
      },
    ],
    [
      'after an event',
      async (_, emitter) => {
        await emitter.working();
        throw new Error('secret');
      },
    ],
    ['something that is no Error', () => Promise.reject('secret')],
    ['nothing at all', () => Promise.reject()],
    [
      'with events that were not awaited',
      (_, emitter) => {
        void emitter.working();
        void emitter.addArtifact('work');
        throw new Error('secret');
      },
    ],
  ];

  it.each(thrown)('%s: a FAILED task with a masked message', async (_, execute) => {
    const agent = agents.make({ execute });
    const task = await agent.sendForTask('hi');
    expect(stateOf(task)).toBe(TaskState.FAILED);
    const text = textOf(task.status.message);
    const id = /^The agent failed \(correlation id ([0-9a-f-]{36})\)$/.exec(text)?.[1] ?? 'none';
    expect(agent.logs.filter((line) => line.includes(id))).toHaveLength(1);
    expect(JSON.stringify(task)).not.toContain('secret');
    expect(await agent.stored(task.id)).toEqual(task);
  });

  it('on a stream: the task and its end, no error', async () => {
    const agent = agents.make({ execute: () => Promise.reject(new Error('secret')) });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.error).toBeUndefined();
    expect(stream.words).toEqual(['task TASK_STATE_SUBMITTED', TaskState.FAILED]);
  });

  it('after the end: logged, the task stays as it is (P60)', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.complete('done');
        throw new Error('too late');
      },
    });
    const task = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect(stateOf(await agent.get(task.id))).toBe(TaskState.COMPLETED);
    expect(agent.logs).toEqual([`warn: Task ${task.id}: the executor failed after its run had ended: too late`]);
  });

  it('after a direct message: logged, and no task appears', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.sendMessage('hello');
        throw new Error('too late');
      },
    });
    expect(await agent.send('hi')).toHaveProperty('message');
    await agent.untilIdle();
    expect(await agent.countStored()).toBe(0);
    expect(agent.logs).toHaveLength(1);
  });
});

describe('What the emitter refuses', () => {
  const cyclic: Record<string, never> = {};
  Reflect.set(cyclic, 'self', cyclic);
  const refusals: [AgentEmitterErrorCode, string, (emitter: AgentEmitter) => Promise<unknown>][] = [
    [
      'TASK_ENDED',
      'a status after the end',
      async (emitter) => {
        await emitter.complete();
        await emitter.working();
      },
    ],
    [
      'TASK_ENDED',
      'an artifact after the end',
      async (emitter) => {
        await emitter.complete();
        await emitter.addArtifact('late');
      },
    ],
    [
      'TASK_ENDED',
      'a second end',
      async (emitter) => {
        await emitter.complete();
        await emitter.fail();
      },
    ],
    [
      'TASK_ENDED',
      'a direct message after the end',
      async (emitter) => {
        await emitter.complete();
        await emitter.sendMessage('late');
      },
    ],
    [
      'RUN_ENDED',
      'a status after requireInput',
      async (emitter) => {
        await emitter.requireInput('which?');
        await emitter.complete();
      },
    ],
    [
      'TRANSITION_NOT_ALLOWED',
      'SUBMITTED again',
      async (emitter) => {
        await emitter.working();
        await emitter.updateStatus(TaskState.SUBMITTED);
      },
    ],
    ['TRANSITION_NOT_ALLOWED', 'no state', (emitter) => emitter.updateStatus(TaskState.UNSPECIFIED)],
    [
      'UNKNOWN_ARTIFACT',
      'a chunk of an unknown artifact',
      (emitter) => emitter.addArtifact('more', { artifactId: 'nowhere', append: true }),
    ],
    ['UNKNOWN_ARTIFACT', 'a chunk of no artifact', (emitter) => emitter.addArtifact('more', { append: true })],
    [
      'MESSAGE_NOT_FIRST',
      'a direct message after a status',
      async (emitter) => {
        await emitter.working();
        await emitter.sendMessage('hello');
      },
    ],
    [
      'MESSAGE_NOT_FIRST',
      'a direct message after an artifact',
      async (emitter) => {
        await emitter.addArtifact('work');
        await emitter.sendMessage('hello');
      },
    ],
    [
      'EVENT_AFTER_MESSAGE',
      'a status after a direct message',
      async (emitter) => {
        await emitter.sendMessage('hello');
        await emitter.working();
      },
    ],
    [
      'EVENT_AFTER_MESSAGE',
      'a second direct message',
      async (emitter) => {
        await emitter.sendMessage('hello');
        await emitter.sendMessage('again');
      },
    ],
    ['NOT_SERIALISABLE', 'a cycle in metadata', (emitter) => emitter.addArtifact('x', { metadata: cyclic })],
    [
      'NOT_SERIALISABLE',
      'a cycle in the metadata of a message',
      (emitter) => emitter.working({ parts: 'x', metadata: cyclic }),
    ],
    [
      'NOT_SERIALISABLE',
      'a BigInt in a part',
      (emitter) => Reflect.apply(emitter.addArtifact, emitter, [{ data: { n: 1n } }]),
    ],
    ['INVALID_CONTENT', 'no part', (emitter) => emitter.addArtifact([])],
    ['INVALID_CONTENT', 'no part in a message', (emitter) => emitter.working({ parts: [] })],
    ['INVALID_CONTENT', 'what is no part', (emitter) => Reflect.apply(emitter.addArtifact, emitter, [{ nothing: 1 }])],
    ['TASK_TOO_LARGE', 'an artifact beyond maxTaskBytes', (emitter) => emitter.addArtifact('x'.repeat(2_000))],
    ['TASK_TOO_LARGE', 'a status beyond maxTaskBytes', (emitter) => emitter.working('x'.repeat(2_000))],
    ['TASK_TOO_LARGE', 'a direct message beyond maxTaskBytes', (emitter) => emitter.sendMessage('x'.repeat(2_000))],
  ];

  it.each(refusals)('%s: %s; the task is not damaged', async (code, _, attempt) => {
    let refusal: unknown;
    const before = deferred<Task | undefined>();
    const agent = agents.make({
      settings: { maxTaskBytes: 1_000 },
      execute: async ({ taskId }, emitter) => {
        await attempt(emitter).catch((error: unknown) => (refusal = error));
        before.resolve(await agent.stored(taskId));
      },
    });
    const stream = await agent.stream('hi');
    const stored = await before.promise;
    expect(refusal).toBeInstanceOf(AgentEmitterError);
    expect(refusal).toMatchObject({ code, name: 'AgentEmitterError' });
    await agent.untilIdle();
    if (stream.words.at(-1) === TaskState.INPUT_REQUIRED) expect(stored?.status.state).toBe(TaskState.INPUT_REQUIRED);
    if (code === 'TASK_ENDED') expect(stream.words.at(-1)).toBe(TaskState.COMPLETED);
    expect(stream.error).toBeUndefined();
    expect(agent.logs).toEqual([]);
  });

  it('TRANSITION_NOT_ALLOWED with strictTransitions: the strict table holds, the free one does not', async () => {
    const codes: unknown[] = [];
    const execute: Execute = async (_, emitter) => {
      await emitter.requireAuth('token?');
      await emitter.complete().catch((error: AgentEmitterError) => codes.push(error.code));
    };
    const states: string[] = [];
    for (const strictTransitions of [false, true]) {
      const agent = agents.make({ execute, settings: { strictTransitions } });
      const { id } = await agent.sendForTask('hi');
      await agent.untilIdle();
      states.push(stateOf(await agent.get(id)));
    }
    expect(codes).toEqual(['TRANSITION_NOT_ALLOWED']);
    expect(states).toEqual([TaskState.COMPLETED, TaskState.AUTH_REQUIRED]);
  });

  it.each([
    ['a returned string', () => 'text'],
    ['a return without an end', async (_, emitter) => void (await emitter.addArtifact('text'))],
  ] as [string, Execute][])('strictTransitions does not stand in the way of %s', async (_, execute) => {
    const agent = agents.make({ execute, settings: { strictTransitions: true } });
    expect(stateOf(await agent.sendForTask('hi'))).toBe(TaskState.COMPLETED);
  });

  it('TOO_MANY_WAITING: 10,000 events that nobody waits for; what was taken is kept', async () => {
    const codes = new Set<unknown>();
    let refused = 0;
    const agent = agents.make({
      // One that answers at once leaves nothing to wait for.
      store: new CopyingStore(1),
      execute: async (_, emitter) => {
        for (let n = 0; n < 10_100; n++) {
          void emitter.text('x').catch((error: AgentEmitterError) => {
            codes.add(error.code);
            refused++;
          });
        }
      },
    });
    const task = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect([...codes]).toEqual(['TOO_MANY_WAITING']);
    expect(stateOf(task)).toBe(TaskState.COMPLETED);
    expect(task.artifacts?.[0]?.parts).toHaveLength(10_100 - refused);
  });

  it('does not end the process when nobody waits for the call', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.complete();
        void emitter.working();
        void emitter.text('late');
        void emitter.addArtifact([]);
        void emitter.sendMessage('late');
      },
    });
    await agent.send('hi');
    await agent.untilIdle();
    expect(agent.unhandled).toEqual([]);
  });

  it('an artifact does not change when the author changes what was given', async () => {
    const parts = [{ data: { n: 1 } }];
    const agent = agents.make({
      execute: async (_, emitter) => {
        const added = emitter.addArtifact(parts);
        Object.assign(parts[0]?.data ?? {}, { n: 2 });
        await added;
      },
    });
    const task = await agent.sendForTask('hi');
    expect(task.artifacts?.[0]?.parts).toEqual([{ data: { n: 1 } }]);
  });

  it('a first chunk of text that was refused does not spoil the next', async () => {
    const agent = agents.make({
      settings: { maxTaskBytes: 500 },
      execute: async (_, emitter) => {
        await emitter.text('x'.repeat(900)).catch(() => undefined);
        await emitter.text('a');
        await emitter.text('b');
      },
    });
    expect(artifactsOf(await agent.sendForTask('hi'))).toEqual(['ab']);
  });
});

describe('Direct message', () => {
  it('late: after time made the task it becomes the status message of its completion', async () => {
    const go = deferred<void>();
    const agent = agents.make({
      settings: { taskCreationDelayMs: 1 },
      execute: async (_, emitter) => {
        await go.promise;
        await emitter.sendMessage('hello');
      },
    });
    const task = await agent.begin('hi');
    const stream = await agent.subscribe(task.id);
    go.resolve();
    await stream.over;
    const ended = await agent.get(task.id);
    expect([stateOf(ended), textOf(ended.status.message)]).toEqual([TaskState.COMPLETED, 'hello']);
    expect(ended.status.message?.taskId).toBe(task.id);
  });

  it('on a stream: the one frame, without a number', async () => {
    const agent = agents.make({ execute: (_, emitter) => emitter.sendMessage('hello') });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.words).toEqual(['message hello']);
    expect(stream.sequences).toEqual([undefined]);
    expect(stream.frames[0]?.last).toBe(true);
    await agent.untilIdle();
    expect(await agent.countStored()).toBe(0);
  });
});

describe('Executor forms', () => {
  const values: AgentOutput[] = [
    { state: TaskState.WORKING, message: 'at it' },
    'a',
    'b',
    { text: 'part' },
    { artifact: { artifactId: 'x', parts: 'one' } },
    { artifact: { artifactId: 'x', parts: ' two' }, append: true, lastChunk: true },
  ];

  const forms: [string, Execute][] = [
    [
      'async generator',
      async function* () {
        yield* values;
      },
    ],
    ['Observable', () => from(values)],
  ];

  it.each(forms)('%s: each value is emitted, completion is return', async (_, execute) => {
    const agent = agents.make({ execute });
    const stream = await agent.stream('hi');
    await stream.over;
    const [task] = (await agent.handler.listTasks({ includeArtifacts: true }, agent.call())).tasks;
    expect(task?.status.state).toBe(TaskState.COMPLETED);
    expect(task && artifactsOf(task)).toEqual(['ab', 'part', 'one two']);
    expect(stream.words.slice(0, 3)).toEqual(['task TASK_STATE_SUBMITTED', TaskState.WORKING, 'artifact a']);
    expect(stream.sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it.each([
    [
      'async generator',
      async function* () {
        yield { message: 'hello' };
      },
    ],
    ['Observable', () => of({ message: 'hello' })],
  ] as [string, Execute][])('%s: a direct message', async (_, execute) => {
    const agent = agents.make({ execute });
    expect(await agent.send('hi')).toHaveProperty('message.parts', [{ text: 'hello' }]);
  });

  it.each([
    [
      'async generator',
      async function* () {
        yield 'a';
        throw new Error('secret');
      },
    ],
    [
      'Observable',
      () =>
        new Observable<AgentOutput>((subscriber) => {
          subscriber.next('a');
          subscriber.error(new Error('secret'));
        }),
    ],
    ['Observable at once', () => throwError(() => new Error('secret'))],
  ] as [string, Execute][])('%s that fails: FAILED, masked', async (_, execute) => {
    const agent = agents.make({ execute });
    const task = await agent.sendForTask('hi');
    expect(stateOf(task)).toBe(TaskState.FAILED);
    expect(JSON.stringify(task)).not.toContain('secret');
  });

  it.each(['async generator', 'Observable'])(
    '%s: a refused value ends the whole, and what it holds is freed',
    async (form) => {
      let freed = false;
      const bad: AgentOutput = { artifact: { artifactId: 'nowhere', parts: 'x' }, append: true };
      const execute: Execute =
        form === 'Observable'
          ? () =>
              new Observable<AgentOutput>((subscriber) => {
                subscriber.next(bad);
                return () => (freed = true);
              })
          : async function* () {
              try {
                yield bad;
              } finally {
                freed = true;
              }
            };
      const agent = agents.make({ execute });
      expect(stateOf(await agent.sendForTask('hi'))).toBe(TaskState.FAILED);
      expect(freed).toBe(true);
    },
  );

  it.each(['async generator', 'Observable'])('%s: takes no more values after a cancel, and is freed', async (form) => {
    const freed = deferred<void>();
    const yielded = deferred<string>();
    const execute: Execute =
      form === 'Observable'
        ? ({ taskId }, emitter) =>
            new Observable<AgentOutput>((subscriber) => {
              subscriber.next('a');
              void emitter.working().then(() => yielded.resolve(taskId));
              return () => freed.resolve();
            })
        : async function* ({ signal, taskId }) {
            try {
              yield 'a';
              yielded.resolve(taskId);
              await new Promise((resolve) => signal.addEventListener('abort', resolve));
              yield 'b';
              yield 'c';
            } finally {
              freed.resolve();
            }
          };
    const agent = agents.make({ execute });
    const sent = agent.sendForTask('hi');
    const canceled = await agent.cancel(await yielded.promise);
    await freed.promise;
    expect(canceled.status.state).toBe(TaskState.CANCELED);
    expect(artifactsOf(await sent)).toEqual(['a']);
  });

  it.each([
    ['returned', () => 'text'],
    ['promised', async () => 'text'],
  ] as [string, Execute][])('a %s string completes the task with one text artifact', async (_, execute) => {
    const agent = agents.make({ execute });
    const task = await agent.sendForTask('hi');
    expect([stateOf(task), artifactsOf(task)]).toEqual([TaskState.COMPLETED, ['text']]);
  });

  it('a string after the end is dropped', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.complete('done');
        return 'text';
      },
    });
    const task = await agent.sendForTask('hi');
    await agent.untilIdle();
    expect(artifactsOf(await agent.get(task.id))).toEqual([]);
  });

  it('a new executor for each run, when the source makes them so; follow-up runs included', async () => {
    const made: string[] = [];
    class Once extends AgentExecutor {
      private used = 0;

      override async execute(...[{ task }, emitter]: Parameters<Execute>): Promise<void> {
        made.push(`use ${++this.used}`);
        if (task === undefined) await emitter.requireInput('which?');
        else await emitter.complete();
      }
    }
    const agent = agents.make({ executorFor: () => new Once() });
    const { id } = await agent.sendForTask('hi');
    await agent.sendForTask('this', { taskId: id });
    expect(made).toEqual(['use 1', 'use 1']);
  });

  it('an executor that cannot be made is an executor that throws', async () => {
    const agent = agents.make({ executorFor: () => Promise.reject(new Error('no such dependency')) });
    const task = await agent.sendForTask('hi');
    expect(stateOf(task)).toBe(TaskState.FAILED);
    expect(JSON.stringify(task)).not.toContain('dependency');
  });
});

describe('History', () => {
  it('has each message once; the current status message only in the status (P49)', async () => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working('one');
        await emitter.working();
        await emitter.working('two');
        await emitter.complete('three');
      },
    });
    const task = await agent.sendForTask('hi');
    expect(historyOf(task)).toEqual(['hi', 'one', 'two']);
    expect(textOf(task.status.message)).toBe('three');
  });

  it.each([
    [undefined, ['hi', 'one', 'two']],
    [0, []],
    [1, ['two']],
    [9, ['hi', 'one', 'two']],
  ])('historyLength %s', async (historyLength, texts) => {
    const agent = agents.make({
      execute: async (_, emitter) => {
        await emitter.working('one');
        await emitter.working('two');
        await emitter.complete();
      },
    });
    const sent = await agent.sendForTask('hi', { configuration: { historyLength } });
    expect(historyOf(sent)).toEqual(texts);
    const got = await agent.handler.getTask({ id: sent.id, historyLength }, agent.call());
    expect(historyOf(got)).toEqual(texts);
    expect('history' in got).toBe(texts.length > 0);
  });
});
