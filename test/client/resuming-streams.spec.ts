import { describe, expect, it, jest } from '@jest/globals';
import { A2AClient, A2AClientError, TaskView, userMessage, type A2AClientOptions } from 'nestjs-a2a/client';
import {
  InternalError,
  InvalidParamsError,
  MethodNotFoundError,
  TaskNotFoundError,
  TaskState,
  UnavailableError,
  UnsupportedOperationError,
  type AgentCard,
  type StreamResponse,
} from 'nestjs-a2a/protocol';
import { caught } from '../support/caught.js';
import { chunk, ScriptedTransport, snapshot, status, taskOf, type Reply, type Script } from './scripted-transport.js';

const { WORKING, COMPLETED, SUBMITTED, INPUT_REQUIRED, AUTH_REQUIRED, FAILED } = TaskState;
const broken = new A2AClientError('CONNECT_FAILED', 'broken');
const stalled = new A2AClientError('STALLED', 'silent');
const ended = new UnsupportedOperationError('The task has ended');
const message = userMessage('hi');

const CARD: AgentCard = {
  name: 'Scripted',
  description: '',
  version: '1',
  supportedInterfaces: [{ url: 'https://agent.example/', protocolBinding: 'SCRIPT', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};

interface Setup {
  readonly replies?: readonly Reply[];
  readonly streams?: readonly Script[];
  readonly streaming?: boolean;
  readonly options?: Partial<A2AClientOptions>;
}

function clientOf({ streaming = true, options, ...script }: Setup) {
  const transport = new ScriptedTransport(script);
  const waits: number[] = [];
  const client = new A2AClient(
    {
      transports: [{ binding: 'SCRIPT', create: () => transport }],
      retry: { initialDelayMs: 100, maxDelayMs: 400 },
      polling: { initialDelayMs: 10, maxDelayMs: 20 },
      wait: async (milliseconds, signal) => {
        signal.throwIfAborted();
        waits.push(milliseconds);
      },
      ...options,
    },
    { ...CARD, capabilities: { streaming } },
  );
  return { client, transport, waits };
}

/** The events in short. */
function shortOf(event: StreamResponse): string {
  if ('task' in event) return `task ${event.task.status.state.slice('TASK_STATE_'.length)}`;
  if ('statusUpdate' in event) return event.statusUpdate.status.state.slice('TASK_STATE_'.length);
  if ('message' in event) return 'message';
  const { append = false, artifact } = event.artifactUpdate;
  return `${append ? '+' : '='}${artifact.parts.map((part) => ('text' in part ? part.text : '?')).join('|')}`;
}

async function read(events: AsyncIterable<StreamResponse>): Promise<string[]> {
  const seen: string[] = [];
  try {
    for await (const event of events) seen.push(shortOf(event));
  } catch (error) {
    seen.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
  return seen;
}

const BEGINNING: Script = [snapshot(SUBMITTED), status(WORKING, '2'), chunk('a', { id: '3', append: false })];

describe('A stream of a send', () => {
  it.each<[name: string, first: Script, next: readonly Script[], expected: string[], seen?: string]>([
    ['ends with the task, whatever comes behind', [...BEGINNING, status(COMPLETED), 'hang'], [], ['COMPLETED']],
    ['ends with a message', [{ response: { message: { ...message, role: 'ROLE_AGENT' } } }, 'hang'], [], ['message']],
    ['ends where it is closed at a question', [...BEGINNING, status(INPUT_REQUIRED)], [], ['INPUT_REQUIRED']],
    ['ends where it breaks at a question', [...BEGINNING, status(INPUT_REQUIRED), broken], [], ['INPUT_REQUIRED']],
    ['ends where it is closed for a login', [...BEGINNING, status(AUTH_REQUIRED)], [], ['AUTH_REQUIRED']],
    [
      'goes on behind a question',
      [...BEGINNING, status(INPUT_REQUIRED), status(COMPLETED)],
      [],
      ['INPUT_REQUIRED', 'COMPLETED'],
    ],
    [
      'takes a second task as it is',
      [...BEGINNING, snapshot(WORKING, 'a'), status(COMPLETED)],
      [],
      ['task WORKING', 'COMPLETED'],
    ],
    [
      'takes a message behind a task',
      [...BEGINNING, { response: { message } }, status(COMPLETED)],
      [],
      ['message', 'COMPLETED'],
    ],
    [
      'goes on after the last id',
      [...BEGINNING, broken],
      [[chunk('b', { id: '4' }), status(COMPLETED)]],
      ['+b', 'COMPLETED'],
      '3',
    ],
    [
      'goes on after a clean end too',
      BEGINNING,
      [[chunk('b', { id: '4' }), status(COMPLETED)]],
      ['+b', 'COMPLETED'],
      '3',
    ],
    [
      'goes on by a snapshot',
      [...BEGINNING, broken],
      [[snapshot(WORKING, 'a', 'b'), chunk('c'), status(COMPLETED)]],
      ['+b', '+c', 'COMPLETED'],
    ],
    [
      'goes on by a snapshot that merges',
      [...BEGINNING, broken],
      [[snapshot(WORKING, 'abc'), status(COMPLETED)]],
      ['+bc', 'COMPLETED'],
    ],
    [
      'goes on by a snapshot that is the end',
      [...BEGINNING, broken],
      [[snapshot(COMPLETED, 'ab')]],
      ['+b', 'COMPLETED'],
    ],
    [
      'goes on by a snapshot of other content',
      [...BEGINNING, broken],
      [[snapshot(COMPLETED, 'other')]],
      ['=other', 'COMPLETED'],
    ],
    [
      'goes on by a snapshot that is behind',
      [...BEGINNING, chunk('b'), broken],
      [[snapshot(WORKING, 'a'), status(COMPLETED)]],
      ['+b', 'COMPLETED'],
    ],
    [
      'is cut several times',
      [...BEGINNING, broken],
      [[broken], [snapshot(WORKING, 'ab'), broken], [stalled], [snapshot(COMPLETED, 'abc')]],
      ['+b', '+c', 'COMPLETED'],
    ],
    [
      'is told to come back',
      [...BEGINNING, new UnavailableError('full', 1)],
      [[snapshot(COMPLETED, 'a')]],
      ['COMPLETED'],
    ],
    [
      'ends at a question once it was taken up',
      [...BEGINNING, broken],
      [[snapshot(INPUT_REQUIRED, 'a'), 'hang']],
      ['INPUT_REQUIRED'],
    ],
    [
      'drops what may be half a frame',
      [...BEGINNING, { ...chunk('b', { id: '4' }), unfinished: true }],
      [[chunk('b', { id: '4' }), status(COMPLETED)]],
      ['+b', 'COMPLETED'],
      '3',
    ],
    [
      'takes a last frame that is the end',
      [...BEGINNING, { ...status(COMPLETED), unfinished: true }],
      [],
      ['COMPLETED'],
    ],
    ['gives up on a task that is gone', [...BEGINNING, broken], [[new TaskNotFoundError('t')]], ['TASK_NOT_FOUND']],
    ['gives up on what waiting does not mend', [...BEGINNING, new InternalError('x')], [], ['INTERNAL_ERROR']],
    [
      'gives up after several attempts',
      [...BEGINNING, broken],
      [[broken], [broken], [broken], [broken]],
      ['CONNECT_FAILED'],
    ],
    [
      'takes two closes without anything new for an end',
      BEGINNING,
      [[snapshot(WORKING, 'a')], [snapshot(WORKING, 'a')]],
      [],
    ],
    [
      'takes a status that is as it was for nothing new',
      BEGINNING,
      [[status(WORKING)], [status(WORKING)]],
      ['WORKING', 'WORKING'],
    ],
    [
      'gives up where a status that is as it was is all that comes',
      [...BEGINNING, broken],
      [
        [status(WORKING), broken],
        [status(WORKING), broken],
        [status(WORKING), broken],
        [status(WORKING), broken],
      ],
      ['WORKING', 'WORKING', 'WORKING', 'WORKING', 'CONNECT_FAILED'],
    ],
    [
      'tells no text again where no status came before the cut',
      [chunk('a'), broken],
      [[snapshot(COMPLETED, 'ab')]],
      ['+a', '+b', 'COMPLETED'],
    ],
    [
      'does not take a close before any status for the end',
      [chunk('a')],
      [[snapshot(COMPLETED, 'ab')]],
      ['+a', '+b', 'COMPLETED'],
    ],
    ['refuses what is no event', [...BEGINNING, { response: { artifactUpdate: {} } }], [], ['INVALID_ANSWER']],
  ])('%s', async (_name, first, next, expected, ...[lastEventId]) => {
    const { client, transport } = clientOf({ streams: [first, ...next] });
    const events = await read(client.sendMessageStream({ message }));
    const begun = first.slice(0, 3).every((frame, index) => frame === BEGINNING[index]);
    expect(events).toEqual([...(begun ? ['task SUBMITTED', 'WORKING', '=a'] : []), ...expected]);
    expect(transport.seen[0]).toEqual({ method: 'SendStreamingMessage', params: { message } });
    const subscriptions = transport.seen.slice(1);
    expect(subscriptions).toHaveLength(next.length);
    for (const call of subscriptions) expect(call).toMatchObject({ method: 'SubscribeToTask', params: { id: 't' } });
    if (lastEventId !== undefined) expect(subscriptions[0]).toMatchObject({ lastEventId });
    expect(transport.open).toBe(0);
  });

  it('forgets an id when frames without one follow', async () => {
    const { client, transport } = clientOf({
      streams: [[...BEGINNING, broken], [chunk('b'), broken], [snapshot(COMPLETED, 'ab')]],
    });
    expect((await read(client.sendMessageStream({ message }))).slice(3)).toEqual(['+b', 'COMPLETED']);
    expect(transport.seen.map(({ lastEventId }) => lastEventId)).toEqual([undefined, '3', undefined]);
  });

  it.each(['4\r\nX: y', 'ünï', 'x'.repeat(300), ''])('sends back no id such as %j', async (id) => {
    const first = [...BEGINNING, chunk('b', { id }), broken];
    const { client, transport } = clientOf({ streams: [first, [snapshot(COMPLETED, 'ab')]] });
    await read(client.sendMessageStream({ message }));
    expect(transport.seen[1]?.lastEventId).toBeUndefined();
  });

  it('is never sent again', async () => {
    const { client, transport } = clientOf({ streams: [[broken]] });
    expect(await read(client.sendMessageStream({ message }))).toEqual(['CONNECT_FAILED']);
    expect(transport.seen).toHaveLength(1);
  });

  it('asks for the task when it can no longer subscribe', async () => {
    const { client, transport } = clientOf({
      streams: [[...BEGINNING, broken], [ended]],
      replies: [taskOf(WORKING, 'ab'), broken, taskOf(COMPLETED, 'abc')],
    });
    const events = await read(client.sendMessageStream({ message }));
    expect(events.slice(3)).toEqual(['+b', '+c', 'COMPLETED']);
    expect(transport.seen.slice(2).map(({ method }) => method)).toEqual(['GetTask', 'GetTask', 'GetTask']);
  });

  it('waits longer each time, and at least as long as it was asked to', async () => {
    const full = new UnavailableError('full', 3);
    const { client, waits } = clientOf({
      streams: [[...BEGINNING, broken], [broken], [full], [chunk('b'), broken], [snapshot(COMPLETED, 'ab')]],
    });
    await read(client.sendMessageStream({ message }));
    const ranges = [
      [50, 100],
      [100, 200],
      [3000, 3000],
      [50, 100],
    ];
    expect(waits).toHaveLength(ranges.length);
    for (const [index, [least = 0, most = 0]] of ranges.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least);
      expect(waits[index]).toBeLessThanOrEqual(most);
    }
  });

  it('does not count silence as failure', async () => {
    const silence: Script[] = Array.from({ length: 20 }, () => [stalled]);
    const { client } = clientOf({
      streams: [[...BEGINNING, stalled], ...silence, [snapshot(COMPLETED, 'a')]],
      options: { maxResumes: 1 },
    });
    expect((await read(client.sendMessageStream({ message }))).at(-1)).toBe('COMPLETED');
  });

  it('is not taken up for ever where each connection has news and none lasts', async () => {
    const restless = Array.from({ length: 40 }, (_, index): Script => [chunk(`${index}`)]);
    const { client, transport, waits } = clientOf({ streams: [BEGINNING, ...restless], options: { maxResumes: 20 } });
    const events = await read(client.sendMessageStream({ message }));
    expect(events.slice(-2)).toEqual(['+19', 'STREAM_BROKEN']);
    expect(transport.seen).toHaveLength(21);
    expect(waits.slice(0, 4).every((milliseconds) => milliseconds <= 100)).toBe(true);
    expect(waits.slice(8).every((milliseconds) => milliseconds >= 200)).toBe(true);
  });

  it('is taken up as often as need be where connections last', async () => {
    let time = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 10_000));
    const lasting = Array.from({ length: 40 }, (_, index): Script => [chunk(`${index}`)]);
    const { client, waits } = clientOf({
      streams: [BEGINNING, ...lasting, [status(COMPLETED)]],
      options: { maxResumes: 2 },
    });
    expect((await read(client.sendMessageStream({ message }))).at(-1)).toBe('COMPLETED');
    expect(waits.every((milliseconds) => milliseconds <= 100)).toBe(true);
    clock.mockRestore();
  });

  it('can be told not to be taken up', async () => {
    const options = { resumeStreams: false };
    const cut = clientOf({ streams: [[...BEGINNING, broken]], options });
    expect((await read(cut.client.sendMessageStream({ message }))).at(-1)).toBe('CONNECT_FAILED');
    const closed = clientOf({ streams: [BEGINNING], options });
    expect(await read(closed.client.sendMessageStream({ message }))).toHaveLength(3);
  });

  it('ends with its signal, while it reads and while it waits', async () => {
    for (const first of [
      [...BEGINNING, 'hang' as const],
      [...BEGINNING, broken],
    ]) {
      const controller = new AbortController();
      const { client, transport } = clientOf({
        streams: [first],
        options: {
          wait: async (_milliseconds, signal) => {
            controller.abort(new Error('enough'));
            signal.throwIfAborted();
          },
        },
      });
      const stream = client.sendMessageStream({ message }, { signal: controller.signal });
      const reading = read(stream);
      if (first.includes('hang')) setImmediate(() => controller.abort(new Error('enough')));
      expect((await reading).at(-1)).toBe('Error: enough');
      expect(transport.open).toBe(0);
    }
  });

  it.each(['call', 'client'])('ends after its time, by an option of the %s', async (whose) => {
    const limits = { totalTimeoutMs: 20 };
    const { client, transport } = clientOf({
      streams: [[...BEGINNING, 'hang']],
      ...(whose === 'client' && { options: { limits } }),
    });
    const stream = client.sendMessageStream({ message }, whose === 'call' ? { limits } : {});
    expect((await read(stream)).at(-1)).toBe('TIMEOUT');
    expect(transport.open).toBe(0);
  });

  it('does not make the task for each event', async () => {
    const made = jest.spyOn(TaskView.prototype, 'task', 'get');
    const { client } = clientOf({ streams: [[...BEGINNING, chunk('b'), chunk('c'), status(COMPLETED)]] });
    await read(client.sendMessageStream({ message }));
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });

  it('gives what it all adds up to', async () => {
    const { client } = clientOf({ streams: [[...BEGINNING, chunk('b'), status(COMPLETED)]] });
    const stream = client.sendMessageStream({ message });
    expect(await stream.result()).toEqual({
      task: { ...taskOf(COMPLETED), artifacts: [{ artifactId: 'a', parts: [{ text: 'a' }, { text: 'b' }] }] },
    });
    expect(stream.view.text).toBe('ab');
  });
});

describe('A subscription', () => {
  it('is retried from its beginning', async () => {
    const { client, transport } = clientOf({ streams: [[broken], [snapshot(WORKING, 'a'), status(COMPLETED)]] });
    expect(await read(client.subscribeToTask('t'))).toEqual(['task WORKING', 'COMPLETED']);
    expect(transport.seen).toHaveLength(2);
  });

  it('says so when there is nothing to subscribe to', async () => {
    const { client } = clientOf({ streams: [[ended]] });
    expect(await read(client.subscribeToTask('t'))).toEqual(['UNSUPPORTED_OPERATION']);
  });

  it('stays over a question', async () => {
    const { client } = clientOf({
      streams: [
        [snapshot(WORKING), broken],
        [snapshot(INPUT_REQUIRED), status(WORKING), status(COMPLETED)],
      ],
    });
    expect(await read(client.subscribeToTask('t'))).toEqual(['task WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
  });
});

describe('An agent that cannot stream', () => {
  it('is asked again and again', async () => {
    const { client, transport, waits } = clientOf({
      streaming: false,
      replies: [
        { task: taskOf(SUBMITTED) },
        taskOf(WORKING),
        taskOf(WORKING),
        taskOf(WORKING, 'a'),
        taskOf(COMPLETED, 'a', 'b'),
      ],
    });
    const request = { message, configuration: { historyLength: 1 } };
    const events = await read(client.sendMessageStream(request));
    expect(events).toEqual(['task SUBMITTED', 'WORKING', '=a', '+b', 'COMPLETED']);
    expect(transport.seen[0]).toEqual({
      method: 'SendMessage',
      params: { message, configuration: { historyLength: 1, returnImmediately: true } },
    });
    expect(waits).toEqual([10, 10, 15, 10]);
  });

  it.each<[string, object, string[]]>([
    ['a message', { message: { ...message, role: 'ROLE_AGENT' } }, ['message']],
    ['a finished task', { task: taskOf(FAILED) }, ['task FAILED']],
    ['a question', { task: taskOf(INPUT_REQUIRED) }, ['task INPUT_REQUIRED']],
  ])('is asked no more after %s', async (_name, reply, expected) => {
    const { client } = clientOf({ streaming: false, replies: [reply] });
    expect(await read(client.sendMessageStream({ message }))).toEqual(expected);
  });

  it('can be followed all the same', async () => {
    const { client } = clientOf({
      streaming: false,
      replies: [taskOf(INPUT_REQUIRED), taskOf(WORKING, 'a'), taskOf(COMPLETED, 'a')],
    });
    expect(await read(client.subscribeToTask('t'))).toEqual(['task INPUT_REQUIRED', '=a', 'WORKING', 'COMPLETED']);
  });
});

describe('Calls', () => {
  const safe: readonly [string, (client: A2AClient) => Promise<unknown>, object][] = [
    ['getTask', (client) => client.getTask('t'), taskOf(WORKING)],
    ['listTasks', (client) => client.listTasks(), { tasks: [], nextPageToken: '', pageSize: 1, totalSize: 0 }],
    [
      'getTaskPushNotificationConfig',
      (client) => client.getTaskPushNotificationConfig({ taskId: 't', id: 'p' }),
      { taskId: 't', id: 'p', url: 'https://hooks.example/' },
    ],
    ['listTaskPushNotificationConfigs', (client) => client.listTaskPushNotificationConfigs('t'), { configs: [] }],
  ];
  const once: readonly [string, (client: A2AClient) => Promise<unknown>][] = [
    ['sendMessage', (client) => client.sendMessage({ message })],
    ['cancelTask', (client) => client.cancelTask('t')],
    [
      'createTaskPushNotificationConfig',
      (client) => client.createTaskPushNotificationConfig('t', 'https://a.example/'),
    ],
    ['deleteTaskPushNotificationConfig', (client) => client.deleteTaskPushNotificationConfig({ taskId: 't', id: 'p' })],
  ];

  it.each(safe)('%s is tried again', async (_name, call, reply) => {
    const { client, waits } = clientOf({ replies: [broken, new UnavailableError(), reply] });
    expect(await call(client)).toBeDefined();
    expect(waits).toHaveLength(2);
  });

  it.each(safe)('%s is not tried for ever', async (_name, call) => {
    const { client, transport } = clientOf({ replies: Array.from({ length: 9 }, () => broken) });
    expect(await caught(call(client))).toBe(broken);
    expect(transport.seen).toHaveLength(5);
  });

  it.each(safe)('%s is not tried again when the agent has said no', async (_name, call) => {
    const no = new TaskNotFoundError('t');
    expect(await caught(call(clientOf({ replies: [no] }).client))).toBe(no);
  });

  it.each(once)('%s is not tried again', async (_name, call) => {
    const { client, transport } = clientOf({ replies: [broken] });
    expect(await caught(call(client))).toBe(broken);
    expect(transport.seen).toHaveLength(1);
  });

  it('does not come back after so long', async () => {
    const error = new UnavailableError('closed for today', 3600);
    expect(await caught(clientOf({ replies: [error] }).client.getTask('t'))).toBe(error);
  });

  it('tells what is wrong with an answer', async () => {
    const { client } = clientOf({ replies: [{ id: 't' }] });
    expect(await caught(client.getTask('t'))).toMatchObject({
      code: 'INVALID_ANSWER',
      message: "The agent's answer breaks the protocol: status is required",
    });
  });

  it('waits for a task', async () => {
    const { client, transport } = clientOf({
      replies: [taskOf(WORKING), taskOf(COMPLETED, 'a')],
      streams: [[snapshot(WORKING), status(COMPLETED)]],
    });
    expect(await client.waitForTask('t')).toEqual(taskOf(COMPLETED, 'a'));
    expect(transport.seen.map(({ method }) => method)).toEqual(['GetTask', 'SubscribeToTask', 'GetTask']);
  });

  it.each<[string, Script]>([
    ['knows no subscriptions', [new MethodNotFoundError('SubscribeToTask')]],
    ['wants none', [ended]],
    ['does not like this one', [new InvalidParamsError([])]],
    ['only says that it failed', [new InternalError('The task is in a terminal state')]],
    ['closes them at a question that is none any more', [snapshot(INPUT_REQUIRED)]],
  ])('waits for a task of an agent that %s', async (_name, stream) => {
    const { client, waits } = clientOf({
      replies: [taskOf(WORKING), taskOf(WORKING), broken, taskOf(WORKING), taskOf(COMPLETED, 'a')],
      streams: [stream],
    });
    expect(await client.waitForTask('t')).toEqual(taskOf(COMPLETED, 'a'));
    expect(waits.filter((milliseconds) => milliseconds < 50)).toEqual([10, 15]);
  });

  it('waits for a task that ends in between', async () => {
    const { client } = clientOf({ replies: [taskOf(WORKING), taskOf(COMPLETED)], streams: [[ended]] });
    expect(await client.waitForTask('t')).toEqual(taskOf(COMPLETED));
  });

  it('stops at a page that leads to itself', async () => {
    const page = { tasks: [taskOf(WORKING)], nextPageToken: 'p', pageSize: 1, totalSize: 2 };
    const { client } = clientOf({ replies: [page, page, page] });
    const all = async (): Promise<void> => {
      for await (const task of client.allTasks()) expect(task.id).toBe('t');
    };
    await expect(all()).rejects.toMatchObject({ code: 'INVALID_ANSWER' });
  });

  it('says so when there is no agent', async () => {
    await expect(new A2AClient().getTask('t')).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  });
});
