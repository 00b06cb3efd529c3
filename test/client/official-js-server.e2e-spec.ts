import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { A2AClient, userMessage } from 'nestjs-a2a/client';
import { TaskNotFoundError, TaskState, UnsupportedOperationError, type AgentCard } from 'nestjs-a2a/protocol';
import { startChoppingProxy, type Chopping } from './chopping-proxy.js';
import { joinedDeltas } from './deltas.js';
import { startOfficialAgent, type OfficialAgent } from './official-js-agent.js';

const TEXT = Array.from({ length: 12 }, (_, index) => `c${index + 1} `).join('');
const CHOPPING: Chopping = {
  writeBytes: 1,
  lineEnd: '\r\n',
  byteOrderMark: true,
  ids: true,
  comments: true,
  buffered: false,
  faults: [
    { kind: 'cut', afterFrames: 4, bytesOfNext: 20 },
    { kind: 'cut', afterFrames: 2, bytesOfNext: 0 },
  ],
};

describe('A2AClient and an agent of the official JavaScript SDK', () => {
  let agent: OfficialAgent;
  // What it logs is that calls are refused and that its hooks cannot be reached: as they should be.
  const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  beforeAll(async () => {
    agent = await startOfficialAgent();
  });
  afterAll(async () => {
    await agent.close();
    log.mockRestore();
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
      const id = await running('slow 12 5');
      const stream = client.subscribeToTask(id);
      await stream.result();
      expect(stream.view).toMatchObject({ state: TaskState.COMPLETED, text: TEXT });
      await expect(client.subscribeToTask(id).result()).rejects.toBeInstanceOf(UnsupportedOperationError);
      const { contextId } = await client.getTask(id);
      expect((await client.listTasks({ contextId })).tasks.map((task) => task.id)).toEqual([id]);
      const other = await running('slow 1000 5');
      expect((await client.cancelTask(other)).status.state).toBe(TaskState.CANCELED);
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
      expect(await client.getTaskPushNotificationConfig({ taskId, id })).toMatchObject({ id, url, taskId });
      await client.deleteTaskPushNotificationConfig({ taskId, id });
      expect((await client.listTaskPushNotificationConfigs(taskId)).configs ?? []).toEqual([]);
      await client.cancelTask(taskId);
    });
  });
});
