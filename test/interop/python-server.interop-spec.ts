import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient, A2ATaskFailedError, userMessage } from 'nestjs-a2a/client';
import {
  InternalError,
  InvalidParamsError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskState,
  type Part,
  type Task,
} from 'nestjs-a2a/protocol';
import { startChoppingProxy } from '../client/chopping-proxy.js';
import { Hook } from '../support/hook.js';
import { startPythonAgent, type PythonAgent } from './python-process.js';
import { CHOPPING, CHUNKS_TEXT, PYTHON_PARTS, viaProxy, withoutRepeats, wordOf, wordsOf } from './python-scenario.js';

describe('A2AClient and an agent of the official Python package', () => {
  let agent: PythonAgent;
  beforeAll(async () => {
    agent = await startPythonAgent('1.0', '0.3');
  });
  afterAll(() => agent.close());

  describe.each(['JSONRPC', 'HTTP+JSON'])('over %s', (binding) => {
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
    const streamOf = (text: string, taskId?: string) =>
      client.sendMessageStream({ message: userMessage(text, { taskId }) });

    it('reads its cards, of which one is for both versions', async () => {
      const found = await client.agent();
      expect(found).toMatchObject({ dialect: '1.0', card: { name: 'Python', skills: [{ id: 'echo' }] } });
      expect(found.interface).toMatchObject({ protocolBinding: binding, protocolVersion: '1.0' });
      expect((await client.getExtendedAgentCard()).name).toBe('Python, extended');
    });

    it('sends and is answered', async () => {
      expect(await client.sendTask('grüezi 🧀')).toBe('grüezi 🧀');
      expect(await client.sendTask('message hello')).toBe('hello');
      expect(await taskOf('auth please')).toMatchObject({ status: { state: TaskState.AUTH_REQUIRED } });
      const refused = client.sendTask('reject no way');
      await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('no way') });
      await expect(refused).rejects.toBeInstanceOf(A2ATaskFailedError);
    });

    it('streams', async () => {
      const stream = streamOf('slow 3 1');
      expect(await wordsOf(stream)).toEqual([
        `task ${TaskState.SUBMITTED}`,
        TaskState.WORKING,
        'chunk c1 ',
        'chunk c2 ',
        'chunk c3 ',
        TaskState.COMPLETED,
      ]);
      expect(stream.view).toMatchObject({ state: TaskState.COMPLETED, text: 'c1 c2 c3 ' });
      const { artifacts } = await client.getTask(stream.view.taskId ?? '');
      expect(stream.view.task?.artifacts).toEqual(artifacts);
      expect(await streamOf('message hi').result()).toMatchObject({ message: { parts: [{ text: 'hi' }] } });
    });

    it('goes on with a stream that was cut, while the task runs and after its end', async () => {
      for (const text of ['slow 12 30', 'slow 12 0']) {
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

    it('answers its questions, in one answer and in a stream', async () => {
      const chat = client.chat();
      expect(await chat.say('pause which one?')).toBe('which one?');
      const { taskId = '' } = chat;
      expect(await chat.say('the red one')).toBe('got: the red one');
      expect(await client.getTask(taskId)).toMatchObject({ status: { state: TaskState.COMPLETED } });
      const asked = streamOf('pause which one?');
      expect((await wordsOf(asked)).at(-1)).toBe(TaskState.INPUT_REQUIRED);
      const answered = streamOf('the blue one', asked.view.taskId);
      expect(await wordsOf(answered)).toEqual(['chunk got: the blue one', TaskState.COMPLETED]);
    });

    it('exchanges files and data', async () => {
      const artifact = { artifactId: 'parts', name: 'Parts', parts: PYTHON_PARTS, metadata: { origin: 'python' } };
      expect((await taskOf('parts')).artifacts).toEqual([artifact]);
      const stream = streamOf('parts');
      await stream.result();
      expect(stream.view.task?.artifacts).toEqual([artifact]);
      const sent: Part[] = [
        { text: 'kinds' },
        { raw: 'aGVsbG8=', mediaType: 'text/plain', filename: 'a.txt' },
        { url: 'https://example.com/a.csv', mediaType: 'text/csv' },
        { data: { deep: [1, null, { yes: true }] } },
      ];
      const { artifacts, history } = await taskOf(sent);
      expect(artifacts).toMatchObject([
        { parts: [{ text: 'text:: raw:text/plain:a.txt url:text/csv: data:: hello' }] },
      ]);
      expect(history?.[0]?.parts).toEqual(sent);
    });

    it('gets, lists, subscribes and cancels', async () => {
      const { id, contextId } = await begun('slow 100000 5');
      expect((await client.getTask({ id, historyLength: 0 })).history ?? []).toEqual([]);
      // Its first state is another one.
      while ((await client.getTask(id)).status.state === TaskState.SUBMITTED);
      const query = { contextId, status: TaskState.WORKING, pageSize: 5 };
      const page = await client.listTasks(query);
      expect(page).toMatchObject({ tasks: [{ id }], nextPageToken: '', totalSize: 1 });
      expect(page.tasks[0]?.artifacts).toBeUndefined();

      const words: string[] = [];
      for await (const event of client.subscribeToTask(id)) {
        words.push(wordOf(event));
        if (words.length === 3) expect((await client.cancelTask(id)).status.state).toBe(TaskState.CANCELED);
      }
      expect([words[0], words.at(-1)]).toEqual([`task ${TaskState.WORKING}`, TaskState.CANCELED]);
      expect((await client.waitForTask((await begun('slow 3 5')).id)).status.state).toBe(TaskState.COMPLETED);
    });

    it('walks over all pages', async () => {
      const { id, contextId } = await taskOf('echo 1');
      const more = ['echo 2', 'echo 3'].map((text) => ({ message: userMessage(text, { contextId }) }));
      for (const request of more) await client.sendMessage(request);
      const found: string[] = [];
      for await (const task of client.allTasks({ contextId, pageSize: 2 })) found.push(task.id);
      expect(found).toContain(id);
      expect(new Set(found).size).toBe(3);
    });

    it('manages push configurations, and is notified', async () => {
      const hook = await Hook.open();
      const { id: taskId } = await taskOf('pause well?');
      await client.createTaskPushNotificationConfig(taskId, hook.url, 'a-token');
      const authentication = { scheme: 'Bearer', credentials: 'secret' };
      await client.createTaskPushNotificationConfig({ taskId, id: 'mine', url: hook.url, authentication });
      expect(await client.getTaskPushNotificationConfig({ taskId, id: 'mine' })).toMatchObject({ url: hook.url });
      expect((await client.listTaskPushNotificationConfigs(taskId)).configs).toHaveLength(2);
      await client.deleteTaskPushNotificationConfig({ taskId, id: 'mine' });
      const gone = client.getTaskPushNotificationConfig({ taskId, id: 'mine' });
      await expect(gone).rejects.toBeInstanceOf(TaskNotFoundError);
      await taskOf('done', taskId);
      await hook.untilWord(TaskState.COMPLETED);
      expect(hook.calls.map(({ headers }) => headers['x-a2a-notification-token'])).toEqual(['a-token', 'a-token']);
      expect(hook.words).toEqual(['got: done', TaskState.COMPLETED]);
      await hook.close();
    });

    it('has its errors as its own', async () => {
      const { id: ended } = await taskOf('echo done');
      const cases: [() => Promise<unknown>, new (message: string) => Error][] = [
        [() => client.getTask('nope'), TaskNotFoundError],
        [() => client.cancelTask('nope'), TaskNotFoundError],
        [() => client.subscribeToTask('nope').result(), TaskNotFoundError],
        [() => taskOf('more', 'nope'), TaskNotFoundError],
        [() => streamOf('more', 'nope').result(), TaskNotFoundError],
        [() => client.cancelTask(ended), TaskNotCancelableError],
        // The specification has UnsupportedOperationError for these two.
        [() => client.subscribeToTask(ended).result(), InvalidParamsError],
        [() => taskOf('more', ended), InvalidParamsError],
        [() => taskOf([]), InvalidParamsError],
        [() => client.listTasks({ pageSize: 1000 }), InvalidParamsError],
        // An executor that raises is told as an error, even where there is a task that failed by it.
        [() => taskOf('fail for a reason'), InternalError],
        [() => streamOf('fail for a reason').result(), InternalError],
        [() => taskOf('crash at once'), InternalError],
        [() => streamOf('crash at once').result(), InternalError],
      ];
      for (const [call, type] of cases) await expect(call()).rejects.toBeInstanceOf(type);
    });
  });
});
