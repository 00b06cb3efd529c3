import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { A2AClient, userMessage } from 'nestjs-a2a/client';
import {
  InternalError,
  InvalidRequestError,
  Role,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
  type AgentCard,
} from 'nestjs-a2a/protocol';
import { startChoppingProxy, type Chopping } from './chopping-proxy.js';
import { joinedDeltas } from './deltas.js';
import { startOfficialAgent, type OfficialAgent } from './official-js-agent.js';
import { startOfficialV03Agent } from './official-js-agent-0.3.js';

const TEXT = Array.from({ length: 12 }, (_, index) => `c${index + 1} `).join('');
const CHOPPING: Chopping = {
  writeBytes: 1,
  lineEnd: '\r\n',
  byteOrderMark: true,
  ids: true,
  comments: true,
  heldBytes: 0,
  faults: [
    { kind: 'cut', afterFrames: 4, bytesOfNext: 20 },
    { kind: 'cut', afterFrames: 2, bytesOfNext: 0 },
  ],
};

describe.each([
  ['1.x', '1.0', startOfficialAgent],
  ['0.3.x', '0.3.0', startOfficialV03Agent],
])('A2AClient and an agent of the official JavaScript SDK %s', (_line, version, startAgent) => {
  const isOlder = version !== '1.0';
  let agent: OfficialAgent;
  beforeAll(async () => {
    // What it logs is that calls are refused and that its hooks cannot be reached: as they should be.
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    agent = await startAgent();
  });
  afterAll(async () => {
    await agent.close();
    jest.restoreAllMocks();
  });

  describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
    const options = { network: 'any', protocols: [binding], retry: { initialDelayMs: 1 } } as const;
    let client: A2AClient;
    let card: AgentCard;
    beforeAll(async () => {
      client = await A2AClient.discover(agent.url, options);
      card = (await client.agent()).card;
    });
    afterAll(() => client.close());

    const running = async (text: string): Promise<string> => {
      const answer = await client.sendTaskResponse(text, true);
      return 'task' in answer ? answer.task.id : '';
    };

    it('is chosen', async () => {
      const { interface: chosen } = await client.agent();
      expect(chosen).toMatchObject({ protocolBinding: binding, protocolVersion: version });
    });

    it('sends and gets', async () => {
      expect(await client.sendTask('grüezi mitenand')).toBe('grüezi mitenand');
      expect(await client.sendTask('message hi')).toBe('hi');
      const answer = await client.sendMessage({ message: userMessage('x') });
      const id = 'task' in answer ? answer.task.id : '';
      expect(await client.getTask(id)).toMatchObject({ id, status: { state: TaskState.COMPLETED } });
      await expect(client.getTask('nope')).rejects.toBeInstanceOf(TaskNotFoundError);
    });

    it('streams', async () => {
      const stream = client.sendMessageStream({ message: userMessage('slow 12 0') });
      expect(await joinedDeltas(stream)).toBe(TEXT);
      expect(stream.view).toMatchObject({ state: TaskState.COMPLETED, text: TEXT });
      const direct = client.sendMessageStream({ message: userMessage('message hi') });
      expect(await direct.result()).toMatchObject({ message: { parts: [{ text: 'hi' }] } });
    });

    it('goes on with a stream that was cut, by snapshots', async () => {
      const proxy = await startChoppingProxy(agent.url, CHOPPING, 1);
      const supportedInterfaces = card.supportedInterfaces.map((entry) => ({
        ...entry,
        url: entry.url.replace(agent.url, proxy.url),
      }));
      const cut = new A2AClient(options).at({ ...card, supportedInterfaces });
      const stream = cut.sendMessageStream({ message: userMessage('slow 12 10') });
      expect(await joinedDeltas(stream)).toBe(TEXT);
      expect(stream.view).toMatchObject({ state: TaskState.COMPLETED, text: TEXT });
      expect(proxy.streams).toBeGreaterThan(1);
      await cut.close();
      await proxy.close();
    });

    it('subscribes, lists and cancels', async () => {
      const id = await running('held 12');
      const stream = client.subscribeToTask(id);
      // From the first event on, the reader has subscribed.
      for await (const event of stream) if (Object.keys(event).length > 0) agent.goOn();
      expect(stream.view).toMatchObject({ state: TaskState.COMPLETED, text: TEXT });
      const again = client.subscribeToTask(id).result();
      if (isOlder) expect(await again).toMatchObject({ task: { id, status: { state: TaskState.COMPLETED } } });
      else await expect(again).rejects.toBeInstanceOf(UnsupportedOperationError);
      const { contextId } = await client.getTask(id);
      const listed = client.listTasks({ contextId });
      if (isOlder) await expect(listed).rejects.toBeInstanceOf(UnsupportedOperationError);
      else expect((await listed).tasks.map((task) => task.id)).toEqual([id]);
      const other = await running('slow 1000 5');
      expect((await client.cancelTask(other)).status.state).toBe(TaskState.CANCELED);
      await expect(client.cancelTask(id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    });

    it('carries parts of every kind there and back', async () => {
      const file = { raw: 'aGk=', mediaType: 'text/plain' };
      const link = { url: 'https://a.example/b.png', mediaType: 'image/png' };
      const parts = [{ text: 'parts' }, file, link, { data: { a: [1, null] } }];
      const message = { messageId: 'm1', role: Role.USER, parts, metadata: { k: 'v' } };
      const answer = await client.sendMessage({ message });
      const task = 'task' in answer ? answer.task : undefined;
      expect(task?.artifacts?.[0]?.parts).toEqual(parts);
      expect(await client.getTask({ id: task?.id ?? '', historyLength: 1 })).toMatchObject({ history: [message] });
    });

    it('throws what the agent says', async () => {
      const { task } = Object(await client.sendMessage({ message: userMessage('x') }));
      const late = client.sendMessage({ message: userMessage('y', { taskId: task.id, contextId: task.contextId }) });
      await expect(late).rejects.toBeInstanceOf(isOlder ? InvalidRequestError : UnsupportedOperationError);
      // On HTTP+JSON the older line loses what it wanted to say when a stream does not begin.
      const lost = isOlder && binding === 'HTTP+JSON';
      const none = client.subscribeToTask('nope').result();
      await expect(none).rejects.toBeInstanceOf(lost ? InternalError : TaskNotFoundError);
    });

    it('asks for the extended card', async () => {
      const extended = client.getExtendedAgentCard();
      if (!isOlder) return expect(extended).rejects.toBeInstanceOf(UnsupportedOperationError);
      expect((await extended).skills.map(({ id }) => id)).toEqual(['s', 'x']);
      expect(await client.agent()).toMatchObject({ dialect: '0.3', interface: { protocolBinding: binding } });
      expect(await client.sendTask('still there')).toBe('still there');
    });

    it('waits for a task', async () => {
      expect(await client.waitForTask(await running('slow 3 5'))).toMatchObject({
        status: { state: TaskState.COMPLETED },
      });
    });

    it('answers a question', async () => {
      const chat = client.chat();
      await chat.say('pause');
      const { taskId } = chat;
      expect(taskId).toBeDefined();
      expect(await chat.say('blue')).toBe('blue');
      expect(await client.getTask(taskId ?? '')).toMatchObject({ status: { state: TaskState.COMPLETED } });
    });

    it('manages push configurations', async () => {
      const taskId = await running('slow 1000 5');
      const url = 'https://127.0.0.1:1/hook';
      const { id = '' } = await client.createTaskPushNotificationConfig(taskId, url, 'token');
      const config = { id, url, taskId, token: 'token' };
      expect(await client.getTaskPushNotificationConfig({ taskId, id })).toMatchObject(config);
      expect(await client.listTaskPushNotificationConfigs(taskId)).toMatchObject({ configs: [config] });
      await client.deleteTaskPushNotificationConfig({ taskId, id });
      expect((await client.listTaskPushNotificationConfigs(taskId)).configs ?? []).toEqual([]);
      await client.cancelTask(taskId);
    });
  });
});
