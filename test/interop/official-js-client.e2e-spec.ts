import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Message, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import type { INestApplication } from '@nestjs/common';
import { AgentCardProvider, BearerScheme, type A2AUser, type AgentCardInput } from 'nestjs-a2a';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { createProbe } from '../probe-agent/probe.app.js';
import { probeCard, probeOptions } from '../probe-agent/probe.options.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const;

/** What a message becomes in the client's own object model. */
function saying(text: string, more: Partial<Message> = {}) {
  const message: Message = {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

function taskOf(result: Message | Task): Task {
  if ('status' in result) return result;
  throw new Error('The agent answered with a direct message');
}

function textOf({ artifacts }: Task): string {
  const parts = artifacts.flatMap((artifact) => artifact.parts);
  return parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('');
}

function chunkOf({ payload }: StreamResponse): string | undefined {
  if (payload?.$case !== 'artifactUpdate') return undefined;
  const content = payload.value.artifact?.parts[0]?.content;
  return content?.$case === 'text' ? content.value : undefined;
}

function stateOf({ payload }: StreamResponse): TaskState | undefined {
  if (payload?.$case === 'task' || payload?.$case === 'statusUpdate') return payload.value.status?.state;
  return undefined;
}

class ProbeCards extends AgentCardProvider {
  getCard(): AgentCardInput {
    return { ...probeCard(), capabilities: { extendedAgentCard: true } };
  }

  override async getExtendedCard(_user: A2AUser, card: AgentCard): Promise<AgentCardInput> {
    return { ...card, name: 'Probe, extended' };
  }
}

const TOKEN = 'a-secret-for-a-client';

describe.each(ADAPTERS)('The official JavaScript client and an agent on %s that knows its callers', (adapter) => {
  let running: RunningApp;
  beforeAll(async () => {
    const module = probeModule({
      agentCard: undefined,
      authentication: [new BearerScheme({ secrets: TOKEN })],
      providers: [{ provide: AgentCardProvider, useClass: ProbeCards }],
    });
    running = await start(adapter, module);
  });
  afterAll(() => running.close());

  describe.each(BINDINGS)('over %s', (binding) => {
    const clientWith = (headers: Record<string, string>): Promise<Client> => {
      const fetchImpl: typeof fetch = (input, init) => {
        const all = new Headers(init?.headers);
        for (const [name, value] of Object.entries(headers)) all.set(name, value);
        return fetch(input, { ...init, headers: all });
      };
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
        preferredTransports: [binding],
      });
      return new ClientFactory(options).createFromUrl(running.url);
    };

    it('gets the extended card, and does what it may', async () => {
      const client = await clientWith({ authorization: `Bearer ${TOKEN}` });
      expect((await client.getAgentCard()).name).toBe('Probe, extended');
      expect(textOf(taskOf(await client.sendMessage(saying('echo hi'))))).toBe('hi');
    });

    it.each<readonly [what: string, headers: Record<string, string>]>([
      ['nothing', {}],
      ['something wrong', { authorization: 'Bearer wrong' }],
    ])('is not let in with %s', async (_what, headers) => {
      const client = await clientWith(headers);
      await expect(client.getAgentCard()).rejects.toThrow('Authentication is required');
      await expect(client.sendMessage(saying('echo hi'))).rejects.toThrow('Authentication is required');
    });
  });
});

describe.each(ADAPTERS)('The official JavaScript client and an agent on %s', (adapter) => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await createProbe(probeOptions(['--adapter', adapter]));
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  afterAll(() => app.close());

  describe.each(BINDINGS)('over %s', (binding) => {
    let client: Client;

    beforeAll(async () => {
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] });
      client = await new ClientFactory(options).createFromUrl(url);
    });

    it('finds the agent by its card', async () => {
      const card = await client.getAgentCard();
      expect(card.name).toBe('Probe');
      expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual(['JSONRPC', 'HTTP+JSON']);
      expect(client.transport.protocolName).toBe(binding);
      expect(client.protocolVersion).toBe('1.0');
    });

    it('sends a message and gets the finished task', async () => {
      const task = taskOf(await client.sendMessage(saying('echo grüezi')));
      expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(textOf(task)).toBe('grüezi');
    });

    it('gets a direct message', async () => {
      const answer = await client.sendMessage(saying('message hello'));
      expect(answer).toMatchObject({ role: Role.ROLE_AGENT, parts: [{ content: { $case: 'text', value: 'hello' } }] });
    });

    it('streams a task to its end', async () => {
      const frames: StreamResponse[] = [];
      for await (const frame of client.sendMessageStream(saying('burst 5'))) frames.push(frame);
      expect(frames[0]?.payload?.$case).toBe('task');
      expect(frames.map(chunkOf).filter(Boolean)).toEqual(['c1 ', 'c2 ', 'c3 ', 'c4 ', 'c5 ']);
      expect(frames.map(stateOf).at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
    });

    it('follows up on a task that asks', async () => {
      const waiting = taskOf(await client.sendMessage(saying('pause which one?')));
      expect(waiting.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const done = taskOf(await client.sendMessage(saying('the red one', { taskId: waiting.id })));
      expect(done.id).toBe(waiting.id);
      expect(textOf(done)).toBe('got: the red one');
    });

    it('gets and lists its tasks', async () => {
      const contextId = randomUUID();
      const first = taskOf(await client.sendMessage(saying('echo one', { contextId })));
      const second = taskOf(await client.sendMessage(saying('echo two', { contextId })));

      const got = await client.getTask({ tenant: '', id: first.id, historyLength: 1 });
      expect(got).toMatchObject({ id: first.id, contextId, history: [{ role: Role.ROLE_USER }] });

      const page = await client.listTasks({
        tenant: '',
        contextId,
        status: TaskState.TASK_STATE_COMPLETED,
        pageSize: 10,
        pageToken: '',
        statusTimestampAfter: undefined,
        includeArtifacts: true,
      });
      expect(page.totalSize).toBe(2);
      expect(page.tasks.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
      expect(page.tasks.map(textOf).sort()).toEqual(['one', 'two']);
    });

    it('subscribes to a running task and cancels it', async () => {
      const stream = client.sendMessageStream(saying('slow 100000 5'));
      const first = await stream.next();
      const payload = first.done === true ? undefined : first.value.payload;
      const id = payload?.$case === 'task' ? payload.value.id : '';
      expect(id).not.toBe('');

      const subscription = client.resubscribeTask({ tenant: '', id });
      const begun = await subscription.next();
      expect(begun.done === true ? undefined : begun.value.payload?.$case).toBe('task');

      const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);

      for (const reader of [stream, subscription]) {
        let state: TaskState | undefined;
        for await (const frame of reader) state = stateOf(frame) ?? state;
        expect(state).toBe(TaskState.TASK_STATE_CANCELED);
      }
    });

    it('does not wait where it is told not to', async () => {
      const params = saying('slow 100000 5');
      const configuration = {
        acceptedOutputModes: ['text/plain'],
        taskPushNotificationConfig: undefined,
        historyLength: 0,
        returnImmediately: true,
      };
      const { id, status, history } = taskOf(await client.sendMessage({ ...params, configuration }));
      expect(status?.state).not.toBe(TaskState.TASK_STATE_COMPLETED);
      expect(history).toEqual([]);
      const canceled = await client.cancelTask({ tenant: '', id, metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    });

    it('creates, gets, lists and deletes push configurations', async () => {
      const { id: taskId } = taskOf(await client.sendMessage(saying('pause go on?')));
      const url = 'http://127.0.0.1:1/hook';
      const authentication = { scheme: 'Bearer', credentials: 'a-secret' };
      const made = await client.createTaskPushNotificationConfig({
        tenant: '',
        id: '',
        taskId,
        url,
        token: 'a-token',
        authentication,
      });
      expect(made).toMatchObject({ taskId, url, id: expect.stringMatching(/./) });
      const named = { tenant: '', taskId, id: made.id };
      expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ taskId, url, id: made.id });
      const page = { tenant: '', taskId, pageSize: 10, pageToken: '' };
      const ids = async (): Promise<string[]> =>
        (await client.listTaskPushNotificationConfig(page)).configs.map(({ id }) => id);
      expect(await ids()).toEqual([made.id]);
      await client.deleteTaskPushNotificationConfig(named);
      expect(await ids()).toEqual([]);
      await expect(client.getTaskPushNotificationConfig(named)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    });

    it.each([
      [
        'a subscription to a finished task',
        async () => {
          const { id } = taskOf(await client.sendMessage(saying('echo done')));
          return client.resubscribeTask({ tenant: '', id }).next();
        },
        'UnsupportedOperationError',
      ],
      [
        'a subscription to an unknown task',
        () => client.resubscribeTask({ tenant: '', id: randomUUID() }).next(),
        'TaskNotFoundError',
      ],
      [
        'a stream to an unknown task',
        () => client.sendMessageStream(saying('more', { taskId: randomUUID() })).next(),
        'TaskNotFoundError',
      ],
      ['a message without parts', () => client.sendMessage(saying('', { parts: [] })), 'RequestMalformedError'],
      ['an unknown task', () => client.getTask({ tenant: '', id: randomUUID() }), 'TaskNotFoundError'],
      [
        'a second end',
        async () => {
          const { id } = taskOf(await client.sendMessage(saying('echo done')));
          return client.cancelTask({ tenant: '', id, metadata: undefined });
        },
        'TaskNotCancelableError',
      ],
      [
        'a message to a finished task',
        async () => {
          const { id } = taskOf(await client.sendMessage(saying('echo done')));
          return client.sendMessage(saying('more', { taskId: id }));
        },
        'UnsupportedOperationError',
      ],
    ])('knows the error of %s', async (_what, action, name) => {
      await expect(action()).rejects.toMatchObject({ name });
    });
  });
});
