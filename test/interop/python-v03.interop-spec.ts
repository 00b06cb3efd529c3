import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient, A2AClientError, A2ATaskFailedError, userMessage } from 'nestjs-a2a/client';
import {
  InternalError,
  MethodNotFoundError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  UnsupportedOperationError,
  type Part,
  type Task,
} from 'nestjs-a2a/protocol';
import { startChoppingProxy } from '../client/chopping-proxy.js';
import { Hook } from '../support/hook.js';
import { startPythonAgent, type PythonAgent } from './python-process.js';
import { CHOPPING, CHUNKS_TEXT, PYTHON_PARTS, viaProxy, withoutRepeats, wordOf, wordsOf } from './python-scenario.js';

describe('A2AClient and an agent of the official Python package that speaks 0.3 only', () => {
  let agent: PythonAgent;
  beforeAll(async () => {
    agent = await startPythonAgent('0.3');
  });
  afterAll(() => agent.close());

  describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
    const overRest = binding === 'HTTP+JSON';
    const options = { network: 'any', protocols: [binding], retry: { initialDelayMs: 1 } } as const;
    let client: A2AClient;
    beforeAll(async () => {
      client = await A2AClient.discover(agent.url, options);
    });
    afterAll(() => client.close());

    const taskOf = async (content: string | Part[], taskId?: string): Promise<Task> => {
      const answer = await client.sendMessage({ message: userMessage(content, { taskId }) });
      if ('task' in answer) return answer.task;
      throw new Error('A task is expected');
    };
    const begun = async (text: string): Promise<Task> => {
      const answer = await client.sendTaskResponse(text, true);
      if ('task' in answer) return answer.task;
      throw new Error('A task is expected');
    };

    it('reads its cards', async () => {
      const found = await client.agent();
      expect(found.interface).toMatchObject({ protocolBinding: binding, protocolVersion: '0.3' });
      expect((await client.getExtendedAgentCard()).name).toBe('Python, extended');
    });

    it('sends, streams and answers its questions', async () => {
      expect(await client.sendTask('grüezi 🧀')).toBe('grüezi 🧀');
      expect(await client.sendTask('message hello')).toBe('hello');
      await expect(client.sendTask('reject no way')).rejects.toBeInstanceOf(A2ATaskFailedError);
      const stream = client.sendMessageStream({ message: userMessage('slow 3 1') });
      expect(await wordsOf(stream)).toEqual([
        `task ${TaskState.SUBMITTED}`,
        TaskState.WORKING,
        'chunk c1 ',
        'chunk c2 ',
        'chunk c3 ',
        TaskState.COMPLETED,
      ]);
      const direct = client.sendMessageStream({ message: userMessage('message hi') });
      expect(await direct.result()).toMatchObject({ message: { parts: [{ text: 'hi' }] } });
      const chat = client.chat();
      expect(await chat.say('pause which one?')).toBe('which one?');
      expect(await chat.say('the red one')).toBe('got: the red one');
    });

    it('goes on with a stream that was cut', async () => {
      // Over REST this package breaks off a subscription to a task that has ended, without a word: that one must go on
      // for long enough.
      for (const text of overRest ? ['slow 12 100'] : ['slow 12 30', 'slow 12 0']) {
        const proxy = await startChoppingProxy(agent.url, CHOPPING, 1);
        const cut = new A2AClient(options).at(viaProxy((await client.agent()).card, agent.url, proxy.url));
        const stream = cut.sendMessageStream({ message: userMessage(text) });
        await stream.result();
        expect(withoutRepeats(stream.view.text)).toBe(CHUNKS_TEXT);
        expect(stream.view.state).toBe(TaskState.COMPLETED);
        expect(proxy.streams).toBeGreaterThan(1);
        await cut.close();
        await proxy.close();
      }
    });

    it('exchanges files and data', async () => {
      // Over REST this package encodes bytes twice, and wants them so.
      const twice = Buffer.from('aGVsbG8=').toString('base64');
      const parts = PYTHON_PARTS.map((part) => ('raw' in part && overRest ? { ...part, raw: twice } : part));
      expect((await taskOf('parts')).artifacts).toMatchObject([
        { name: 'Parts', parts, metadata: { origin: 'python' } },
      ]);
      const kinds = 'text:: raw:text/plain:a.txt url:text/csv: data:: hello';
      const { artifacts } = await taskOf([
        { text: 'kinds' },
        { raw: overRest ? twice : 'aGVsbG8=', mediaType: 'text/plain', filename: 'a.txt' },
        { url: 'https://example.com/a.csv', mediaType: 'text/csv' },
        { data: { deep: [1, null, { yes: true }] } },
      ]);
      expect(artifacts).toMatchObject([{ parts: [{ text: kinds }] }]);
    });

    it('gets, subscribes and cancels', async () => {
      const { id } = await begun('slow 100000 5');
      // Its first state is another one.
      while ((await client.getTask({ id, historyLength: 0 })).status.state === TaskState.SUBMITTED);
      expect((await client.getTask({ id, historyLength: 0 })).status.state).toBe(TaskState.WORKING);
      const words: string[] = [];
      for await (const event of client.subscribeToTask(id)) {
        words.push(wordOf(event));
        if (words.length === 3) expect((await client.cancelTask(id)).status.state).toBe(TaskState.CANCELED);
      }
      expect([words[0], words.at(-1)]).toEqual([`task ${TaskState.WORKING}`, TaskState.CANCELED]);
      expect((await client.waitForTask((await begun('slow 12 30')).id)).status.state).toBe(TaskState.COMPLETED);
    });

    it('makes and shows push configurations, and is notified', async () => {
      const hook = await Hook.open();
      const { id: taskId } = await taskOf('pause well?');
      await client.createTaskPushNotificationConfig({ taskId, id: 'mine', url: hook.url, token: 'a-token' });
      expect(await client.getTaskPushNotificationConfig({ taskId, id: 'mine' })).toMatchObject({ url: hook.url });
      expect((await client.listTaskPushNotificationConfigs(taskId)).configs).toHaveLength(1);
      await taskOf('done', taskId);
      await hook.untilWord(TaskState.COMPLETED);
      expect(hook.calls[0]?.headers).toMatchObject({ 'x-a2a-notification-token': 'a-token' });
      const deletion = client.deleteTaskPushNotificationConfig({ taskId, id: 'mine' });
      if (overRest) await expect(deletion).rejects.toBeInstanceOf(MethodNotFoundError);
      else await expect(deletion).resolves.toBeUndefined();
      await hook.close();
    });

    it('has its errors, as far as it tells them', async () => {
      const { id: ended } = await taskOf('echo done');
      // Over JSON-RPC every error is an internal one; over REST a stream that cannot be is broken off.
      const [notFound, notCancelable, noStream] = overRest
        ? [TaskNotFoundError, TaskNotCancelableError, A2AClientError]
        : [InternalError, InternalError, InternalError];
      await expect(client.getTask('nope')).rejects.toBeInstanceOf(notFound);
      await expect(client.cancelTask(ended)).rejects.toBeInstanceOf(notCancelable);
      await expect(client.subscribeToTask('nope').result()).rejects.toBeInstanceOf(noStream);
      await expect(taskOf('fail for a reason')).rejects.toBeInstanceOf(InternalError);
      await expect(client.listTasks({})).rejects.toBeInstanceOf(UnsupportedOperationError);
    });
  });
});
