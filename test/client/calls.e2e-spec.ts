import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient, A2ATaskFailedError, userMessage } from 'nestjs-a2a/client';
import {
  InvalidParamsError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
  type StreamResponse,
} from 'nestjs-a2a/protocol';
import { caught } from '../support/caught.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { deltaOf } from './deltas.js';

const kindOf = (event: StreamResponse | undefined): string => Object.keys(event ?? {}).join();

describe.each(ADAPTERS)('A2AClient and an agent on %s', (adapter) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await start(adapter, probeModule({ pushUrlValidator: () => true, push: { drainSeconds: 0 } }));
  });
  afterAll(() => running.close());

  describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
    let client: A2AClient;
    beforeAll(async () => {
      client = await A2AClient.discover(running.url, { network: 'any', protocols: [binding] });
    });
    afterAll(() => client.close());

    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    beforeAll(() => void process.on('unhandledRejection', onUnhandled));
    afterAll(() => void process.off('unhandledRejection', onUnhandled));
    afterEach(() => expect(unhandled).toEqual([]));

    const taskIdOf = async (text: string): Promise<string> => {
      const answer = await client.sendTaskResponse(text, true);
      return 'task' in answer ? answer.task.id : '';
    };

    it('sends a message and gets the finished task', async () => {
      const answer = await client.sendMessage({ message: userMessage('echo grüezi') });
      expect(answer).toMatchObject({
        task: { status: { state: TaskState.COMPLETED }, artifacts: [{ parts: [{ text: 'grüezi' }] }] },
      });
    });

    it('gets a direct message', async () => {
      const answer = await client.sendMessage({ message: userMessage('message hello') });
      expect(answer).toMatchObject({ message: { role: 'ROLE_AGENT', parts: [{ text: 'hello' }] } });
    });

    it('streams, and has the task put together', async () => {
      const stream = client.sendMessageStream({ message: userMessage('burst 20') });
      const events: StreamResponse[] = [];
      for await (const event of stream) events.push(event);
      const text = Array.from({ length: 20 }, (_, index) => `c${index + 1} `).join('');
      expect(kindOf(events[0])).toBe('task');
      expect(events.map(deltaOf).join('')).toBe(text);
      expect(stream.view).toMatchObject({ text, state: TaskState.COMPLETED });
      const stored = await client.getTask(stream.view.taskId ?? '');
      expect({ ...stream.view.task, history: undefined }).toEqual({ ...stored, history: undefined });
    });

    it('streams a direct message', async () => {
      const stream = client.sendMessageStream({ message: userMessage('message hello') });
      expect(await stream.result()).toMatchObject({ message: { parts: [{ text: 'hello' }] } });
    });

    it('gets, lists and cancels', async () => {
      const id = await taskIdOf('slow 100 1000');
      const task = await client.getTask({ id, historyLength: 0 });
      expect(task.history).toBeUndefined();
      const { contextId } = task;
      expect((await client.listTasks({ contextId })).tasks.map((entry) => entry.id)).toEqual([id]);
      expect((await client.cancelTask(id)).status.state).toBe(TaskState.CANCELED);
      const completed = await taskIdOf('echo x');
      await client.waitForTask(completed);
      await expect(client.cancelTask(completed)).rejects.toBeInstanceOf(TaskNotCancelableError);
    });

    it('walks over all pages', async () => {
      const first = await client.sendMessage({ message: userMessage('echo 1') });
      const contextId = 'task' in first ? first.task.contextId : undefined;
      for (const text of ['echo 2', 'echo 3']) {
        await client.sendMessage({ message: userMessage(text, { contextId }) });
      }
      const found: string[] = [];
      for await (const { id } of client.allTasks({ contextId, pageSize: 2 })) found.push(id);
      expect(new Set(found).size).toBe(3);
    });

    it('subscribes to a running task', async () => {
      const id = await taskIdOf('slow 1000 20');
      const stream = client.subscribeToTask(id);
      const events: StreamResponse[] = [];
      let canceled: Promise<unknown> | undefined;
      for await (const event of stream) {
        events.push(event);
        if (deltaOf(event) !== '') canceled ??= client.cancelTask(id);
      }
      await canceled;
      expect(kindOf(events[0])).toBe('task');
      expect(stream.view).toMatchObject({ text: expect.stringMatching(/^c1 (c\d+ )*$/), state: TaskState.CANCELED });
      const stored = await client.getTask(id);
      expect({ ...stream.view.task, history: undefined }).toEqual({ ...stored, history: undefined });
      await expect(client.subscribeToTask(id).result()).rejects.toBeInstanceOf(UnsupportedOperationError);
    });

    it('manages push configurations', async () => {
      const taskId = await taskIdOf('pause more?');
      const url = 'https://127.0.0.1:1/a';
      const short = await client.createTaskPushNotificationConfig(taskId, url, 'secret');
      const long = await client.createTaskPushNotificationConfig({ taskId, url, id: 'mine' });
      expect(long).toMatchObject({ taskId, url, id: 'mine' });
      const { configs = [] } = await client.listTaskPushNotificationConfigs(taskId);
      expect(configs.map(({ id }) => id)).toEqual(expect.arrayContaining([short.id, 'mine']));
      expect(await client.getTaskPushNotificationConfig({ taskId, id: 'mine' })).toMatchObject({ url });
      await client.deleteTaskPushNotificationConfig({ taskId, id: 'mine' });
      await expect(client.getTaskPushNotificationConfig({ taskId, id: 'mine' })).rejects.toBeInstanceOf(
        TaskNotFoundError,
      );
    });

    it('has what the agent answered as its errors', async () => {
      const error = await caught(client.getTask('nope'));
      expect(error).toBeInstanceOf(TaskNotFoundError);
      const status = binding === 'JSONRPC' ? 200 : 404;
      expect(error).toMatchObject({ metadata: { taskId: 'nope' }, cause: { status } });
      await expect(client.listTasks({ pageSize: 1000 })).rejects.toBeInstanceOf(InvalidParamsError);
      await expect(client.subscribeToTask('nope').result()).rejects.toBeInstanceOf(TaskNotFoundError);
      const empty = client.sendMessageStream({ message: userMessage([]) });
      await expect(empty.result()).rejects.toBeInstanceOf(InvalidParamsError);
    });

    it('asks and is answered in texts', async () => {
      expect(await client.sendTask('echo short')).toBe('short');
      expect(await client.sendTask('message direct')).toBe('direct');
      await expect(client.sendTask('reject no way')).rejects.toBeInstanceOf(A2ATaskFailedError);
    });

    it('carries the ids of a conversation', async () => {
      const chat = client.chat();
      expect(await chat.say('pause how big?')).toBe('how big?');
      const { contextId, taskId } = chat;
      expect(taskId).toBeDefined();
      expect(await chat.say('42')).toBe('got: 42');
      expect(chat).toMatchObject({ contextId, taskId: undefined });
      for await (const event of chat.stream('burst 2')) expect(event).toBeDefined();
      expect(chat).toMatchObject({ contextId, taskId: undefined });
    });

    it('sends headers and extensions', async () => {
      const extension = 'https://example.com/ext/probe/v1';
      const answer = await client.sendMessage({ message: userMessage('whoami') }, { extensions: [extension] });
      expect(answer).toMatchObject({ task: { artifacts: [{ parts: [{ data: { extensions: [extension] } }] }] } });
    });

    it('is stopped by a signal', async () => {
      const reason = new Error('enough');
      const controller = new AbortController();
      const { signal } = controller;
      const stream = client.sendMessageStream({ message: userMessage('slow 1000 20') }, { signal });
      const reading = (async () => {
        for await (const event of stream) if (deltaOf(event) !== '') controller.abort(reason);
      })();
      await expect(reading).rejects.toBe(reason);
      await expect(client.getTask('any', { signal })).rejects.toBe(reason);
      expect((await client.cancelTask(stream.view.taskId ?? '')).status.state).toBe(TaskState.CANCELED);
    });

    it('leaves a stream that is left', async () => {
      const stream = client.sendMessageStream({ message: userMessage('slow 1000 20') });
      for await (const event of stream) if (deltaOf(event) !== '') break;
      expect((await client.cancelTask(stream.view.taskId ?? '')).status.state).toBe(TaskState.CANCELED);
    });
  });
});
