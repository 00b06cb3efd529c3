import { describe, expect, it } from '@jest/globals';
import { A2AClientError } from 'nestjs-a2a/client';
import { TaskState } from 'nestjs-a2a/protocol';
import { OutcomeUnknownError, failureOf, RemoteA2AError, type ResumedSend } from 'nestjs-a2a/workflow';
import { caught } from '../../../../../test/support/caught.js';
import { EngineClientBench, negotiable } from '../../../../../test/support/workflow/engine-client-bench.js';
import { done, scriptedCard, task, taskOf } from '../../../../../test/support/workflow/scripted-runtime.js';

const { COMPLETED, WORKING } = TaskState;

/** A journal that writes down what it is told. */
function journalOf(resume?: ResumedSend, fails?: string) {
  const lines: string[] = [];
  return {
    lines,
    beforeSend: async ({ contextId, messageId }: { contextId: string; messageId: string }): Promise<void> => {
      lines.push(`send ${contextId} ${messageId}`);
      if (fails === 'send') throw new Error('The disk is full');
    },
    taskKnown: async (taskId: string): Promise<void> => {
      lines.push(`task ${taskId}`);
      if (fails === 'task') throw new Error('The disk is full');
    },
    ...(resume && { resume }),
  };
}

describe('the journal of a send', () => {
  it('is told of the message before it leaves, and of the task before anything else is', async () => {
    const bench = new EngineClientBench({
      send: [(contextId) => [{ statusUpdate: { taskId: 't', contextId, status: { state: COMPLETED } } }]],
    });
    const journal = journalOf();
    const order: string[] = [];
    const { beforeSend, taskKnown } = journal;
    journal.beforeSend = async (send) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`kept, wire: ${bench.runtime.wire.length}`);
      return beforeSend(send);
    };
    journal.taskKnown = async (id) => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`kept, events: ${bench.words.join()}`);
      return taskKnown(id);
    };
    await bench.send({ journal });
    expect(order).toEqual(['kept, wire: 0', 'kept, events: agent_request']);
    const [request] = bench.runtime.requests;
    expect(journal.lines).toEqual([`send ${request?.message.contextId} ${request?.message.messageId}`, 'task t']);
  });

  it('keeps the message back when it cannot be written', async () => {
    const bench = new EngineClientBench({ send: [done()] });
    expect((await caught(bench.send({ journal: journalOf(undefined, 'send') }))).message).toBe('The disk is full');
    expect(bench.runtime.wire).toEqual(['close conversation']);
  });

  it('has the task cancelled when it cannot be written', async () => {
    const bench = new EngineClientBench({ send: [task(WORKING)] });
    expect((await caught(bench.send({ journal: journalOf(undefined, 'task') }))).message).toContain('The disk is full');
    expect(bench.runtime.wire).toEqual(['send', 'cancel t', 'close conversation']);
  });
});

describe('a send that is gone on with', () => {
  const known: ResumedSend = { contextId: 'c', messageId: 'm', taskId: 't' };
  const unknown: ResumedSend = { contextId: 'c', messageId: 'm' };

  it('takes the result of a task that has ended meanwhile, and sends nothing', async () => {
    const bench = new EngineClientBench({ get: [() => taskOf('c', COMPLETED, { artifacts: [['ok']] })] });
    const journal = journalOf(known);
    expect((await bench.send({ journal })).outputs).toEqual(['ok']);
    expect(bench.runtime.wire).toEqual(['get t', 'close conversation']);
    expect(journal.lines).toEqual([]);
    expect(bench.words).toEqual(['agent_response']);
  });

  it('follows a task that still runs by its stream', async () => {
    const bench = new EngineClientBench({
      get: [() => taskOf('c', WORKING)],
      subscribe: [() => [{ task: taskOf('c', COMPLETED, { artifacts: [['ok']] }) }]],
    });
    expect((await bench.send({ journal: journalOf(known) })).outputs).toEqual(['ok']);
    expect(bench.runtime.wire).toEqual(['get t', 'subscribe t', 'close conversation']);
  });

  it.each<[string, Parameters<typeof scriptedCard>[1], string[]]>([
    ['the agent cannot stream', { streaming: false }, []],
    ['the stream cannot be had', {}, ['subscribe t']],
  ])('asks for the task when %s', async (_case, capabilities, tries) => {
    const bench = new EngineClientBench({
      card: scriptedCard('X', { extensions: scriptedCard('X').capabilities.extensions, ...capabilities }),
      get: [() => taskOf('c', WORKING), () => taskOf('c', COMPLETED)],
    });
    expect((await bench.send({ journal: journalOf(known) })).taskState).toBe(COMPLETED);
    expect(bench.runtime.wire).toEqual(['get t', ...tries, 'get t', 'close conversation']);
  });

  it('fails when the agent has forgotten the task', async () => {
    const bench = new EngineClientBench({
      get: [() => new RemoteA2AError({ remoteCode: 404, message: 'gone', details: [{ reason: 'TASK_NOT_FOUND' }] })],
    });
    expect(failureOf(await caught(bench.send({ journal: journalOf(known) }))).code).toBe('a2a.task_not_found');
  });

  it('finds the task of a send of which nobody knew, and keeps it', async () => {
    const sent = { messageId: 'm', role: 'ROLE_USER' as const, parts: [] };
    const bench = new EngineClientBench({
      list: ({ contextId }) => [
        { ...taskOf('another', WORKING), id: 'foreign' },
        { ...taskOf(contextId ?? '', WORKING), id: 'other' },
        { ...taskOf(contextId ?? '', WORKING), history: [sent] },
      ],
      get: [() => taskOf('c', COMPLETED)],
    });
    const journal = journalOf(unknown);
    expect((await bench.send({ journal })).taskState).toBe(COMPLETED);
    expect(bench.runtime.wire).toEqual(['list', 'get t', 'close conversation']);
    expect(journal.lines).toEqual(['task t']);
  });

  it.each<[string, Error | undefined]>([
    ['the agent lists no task', undefined],
    ['the agent lists nothing', new Error('no')],
  ])('fails when %s', async (_case, error) => {
    const bench = new EngineClientBench({ list: () => error ?? [] });
    const failed = await caught(bench.send({ journal: journalOf(unknown) }));
    expect(failed).toBeInstanceOf(OutcomeUnknownError);
    expect(failureOf(failed)).toMatchObject({ code: 'workflow.outcome_unknown' });
    expect(bench.runtime.wire).toEqual(['list', 'close conversation']);
  });

  it.each<[string, Error | undefined]>([
    ['the agent lists no task', undefined],
    ['the agent lists nothing', new Error('no')],
  ])('sends the same message again where that is allowed and %s', async (_case, error) => {
    const bench = new EngineClientBench({ list: () => error ?? [], send: [done('ok')] });
    const journal = journalOf({ ...unknown, resendUnknown: true });
    expect((await bench.send({ journal }, negotiable('again'))).outputs).toEqual(['ok']);
    expect(bench.runtime.requests[0]?.message).toMatchObject({ contextId: 'c', messageId: 'm' });
    expect(journal.lines).toEqual(['task t']);
  });

  it('sends nothing again while the agent cannot be asked', async () => {
    const bench = new EngineClientBench({ list: () => new A2AClientError('CONNECT_FAILED', 'no'), send: [done()] });
    const failed = await caught(bench.send({ journal: journalOf({ ...unknown, resendUnknown: true }) }));
    expect(failed).toBeInstanceOf(OutcomeUnknownError);
    expect(bench.runtime.requests).toEqual([]);
  });

  it('fails when the task is one of another conversation', async () => {
    const bench = new EngineClientBench({ get: [() => taskOf('another', COMPLETED)] });
    const error = await caught(bench.send({ journal: journalOf(known) }));
    expect(error.message).toBe('Remote task/context identity changed');
  });
});
