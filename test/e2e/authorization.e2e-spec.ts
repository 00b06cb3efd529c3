import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import { TaskAuthorizationProvider, TaskOperation } from 'nestjs-a2a';
import { PermissionDeniedError, ResourceExhaustedError } from 'nestjs-a2a/protocol';
import { asUser, hurried, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, listAt, textAt } from '../support/http-call.js';
import { Ledger, ownersOf } from '../support/ledger.provider.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

/** Hooks may be named, and nothing is sent to them. */
const SILENT = { push: { snapshotOnCreate: false }, pushUrlValidator: () => true };

function appWithLedger(): Type {
  @Module({ imports: [probeModule({ guards: [BelievingGuard], ...SILENT })], providers: [Ledger] })
  class AppModule {}
  return AppModule;
}

describe('a TaskAuthorizationProvider of the app', () => {
  let pair: Pair;
  beforeEach(async () => {
    pair = await Pair.start(appWithLedger);
  });
  afterEach(() => pair.close());

  const ledgers = (use: (ledger: Ledger) => void): Promise<unknown> =>
    pair.each(({ running }) => use(running.app.get(Ledger)));
  const asked = async (): Promise<string[]> => {
    const lists = await pair.each(({ running }) => running.app.get(Ledger).asked.splice(0));
    expect(lists[1]).toEqual(lists[0]);
    return lists[0];
  };

  it('is told of a new task once, and asked for each call', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a'), asUser('ann')));
    expect(await asked()).toEqual(['create MESSAGE_SEND', 'record MESSAGE_SEND']);
    await ledgers(({ owners }) => expect([...owners.values()]).toEqual(['ann']));

    await pair.call((side) => rpc('SendMessage', message('pause b', { taskId: side.note('id') })));
    expect(await asked()).toEqual(['write MESSAGE_SEND']);
    await pair.call((side) => rpc('GetTask', { id: side.note('id') }));
    expect(await asked()).toEqual(['read GET_TASK']);
    await pair.call(rpc('ListTasks', {}));
    expect(await asked()).toEqual(['read all LIST_TASKS', 'read LIST_TASKS']);
    await pair.call((side) => rpc('SendMessage', message('count', { referenceTaskIds: [side.note('id'), 'none'] })));
    expect(await asked()).toEqual(['create MESSAGE_SEND', 'read GET_TASK', 'read GET_TASK', 'record MESSAGE_SEND']);
    await pair.call((side) => rest('POST', `/tasks/${side.note('id')}:cancel`));
    expect(await asked()).toEqual(['write CANCEL_TASK']);
    await pair.call((side) => rest('GET', `/tasks/${side.note('id')}:subscribe`));
    expect(await asked()).toEqual(['read SUBSCRIBE_TO_TASK']);
    await pair.stream(rpc('SendStreamingMessage', message('echo hi')));
    expect(await asked()).toEqual(['create MESSAGE_SEND_STREAM', 'record MESSAGE_SEND_STREAM']);
    await ledgers(({ owners }) => expect(owners.size).toBe(3));
  });

  it('is asked for each operation on push notification configs', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a')));
    await asked();
    const url = 'https://hooks.example.com';
    for (const [method, params, question] of [
      ['CreateTaskPushNotificationConfig', { id: 'h', url }, 'write CREATE_TASK_PUSH_NOTIFICATION_CONFIG'],
      ['GetTaskPushNotificationConfig', { id: 'h' }, 'read GET_TASK_PUSH_NOTIFICATION_CONFIG'],
      ['ListTaskPushNotificationConfigs', {}, 'read LIST_TASK_PUSH_NOTIFICATION_CONFIGS'],
      ['DeleteTaskPushNotificationConfig', { id: 'h' }, 'write DELETE_TASK_PUSH_NOTIFICATION_CONFIG'],
    ] as const) {
      const answer = await pair.call((side) => rpc(method, { taskId: side.note('id'), ...params }));
      expect([method, at(answer.body, 'error')]).toEqual([method, undefined]);
      expect(await asked()).toEqual([question]);
    }
  });

  it('is told of ten operations, by these names', () => {
    const names = [
      'GET_TASK',
      'LIST_TASKS',
      'CANCEL_TASK',
      'MESSAGE_SEND',
      'MESSAGE_SEND_STREAM',
      'SUBSCRIBE_TO_TASK',
      ...['CREATE', 'GET', 'DELETE'].map((verb) => `${verb}_TASK_PUSH_NOTIFICATION_CONFIG`),
      'LIST_TASK_PUSH_NOTIFICATION_CONFIGS',
    ];
    expect(Object.entries(TaskOperation)).toEqual(expect.arrayContaining(names.map((name) => [name, name])));
    expect(Object.keys(TaskOperation)).toHaveLength(names.length);
  });

  it('takes the place of the rule that a task belongs to who made it', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a'), asUser('ann')));
    const read = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, asUser('ben')));
    expect(at(read.body, 'result.id')).toBeDefined();
    const more = await pair.call((side) =>
      rpc('SendMessage', message('b', { taskId: side.note('id') }), asUser('ben')),
    );
    expect(at(more.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
  });

  it('that says no leaves no trace of the task', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a')));
    await ledgers((ledger) => (ledger.verdict = () => false));
    for (const [method, params] of [
      ['GetTask', {}],
      ['CancelTask', {}],
      ['SubscribeToTask', {}],
    ] as const) {
      const answer = await pair.call((side) => rpc(method, { id: side.note('id'), ...params }));
      const none = await pair.call(rpc(method, { id: 'none', ...params }));
      expect(at(answer.body, 'error.code')).toBe(-32001);
      expect(at(answer.body, 'error.message')).toBe(at(none.body, 'error.message'));
    }
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const answer = await pair.call((side) => rpc(method, message('b', { taskId: side.note('id') })));
      expect(at(answer.body, 'error.code')).toBe(-32001);
      const created = await pair.call(rpc(method, message('echo hi')));
      expect(at(created.body, 'error.code')).toBe(-32001);
    }
    expect(at((await pair.call(rpc('ListTasks', {}))).body, 'error.code')).toBe(-32001);
    expect((await pair.call(rest('GET', '/tasks'))).status).toBe(404);
    await ledgers((ledger) => (ledger.verdict = (_question, _call, taskId) => taskId === ''));
    const list = await pair.call(rpc('ListTasks', {}));
    expect(list.body).toMatchObject({ result: { tasks: [], totalSize: 0, nextPageToken: '' } });
    await ledgers((ledger) => (ledger.verdict = () => true));
    const task = await pair.call((side) => rpc('GetTask', { id: side.note('id') }));
    expect(at(task.body, 'result.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(at((await pair.call(rpc('ListTasks', {}))).body, 'result.totalSize')).toBe(1);
  });

  it('that throws an A2A error answers with that error', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('pause a')));
    await ledgers((ledger) => {
      ledger.verdict = (question) => {
        if (question === 'create') throw new ResourceExhaustedError('Your plan is used up', 3600);
        throw new PermissionDeniedError('Ask your administrator');
      };
    });
    const create = await pair.call(rpc('SendMessage', message('echo hi')));
    expect([create.status, create.headers['retry-after']]).toEqual([429, '3600']);
    const stream = await pair.call(rest('POST', '/message:stream', message('echo hi')));
    expect([stream.status, at(stream.body, 'error.message')]).toEqual([429, 'Your plan is used up']);
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      const answer = await pair.call((side) => rpc(method, { id: side.note('id') }));
      expect([answer.status, at(answer.body, 'error.message')]).toEqual([403, 'Ask your administrator']);
    }
    const list = await pair.call(rest('GET', '/tasks'));
    expect(list.status).toBe(403);
  });

  it('filters lists, with the right total and pages', async () => {
    const contextId = 'paged';
    for (let n = 0; n < 7; n++) {
      await pair.call(rpc('SendMessage', message('echo hi', { contextId }), asUser(n % 2 === 0 ? 'even' : 'odd')));
    }
    await pair.each(({ running }) => {
      const ledger = running.app.get(Ledger);
      ledger.verdict = ownersOf(ledger);
    });
    const found = new Set<string>();
    let pages = 0;
    await pair.each((side) => side.notes.set('token', ''));
    for (let more = true; more && pages < 9; pages++) {
      const page = await pair.note('token', 'result.nextPageToken', (side) =>
        rpc('ListTasks', { contextId, pageSize: 3, pageToken: side.note('token') }, asUser('even')),
      );
      expect(at(page.body, 'result.totalSize')).toBe(4);
      for (const task of listAt(page.body, 'result.tasks')) found.add(textAt(task, 'id'));
      more = textAt(page.body, 'result.nextPageToken') !== '';
    }
    expect([pages, found.size]).toEqual([2, 4]);
  });

  it('is asked before a message is looked at by its agent, and nothing is created when it refuses', async () => {
    await ledgers((ledger) => (ledger.verdict = (question) => question !== 'create'));
    await pair.call(rpc('SendMessage', hurried('quiet 10')));
    await pair.call(rpc('SendStreamingMessage', message('echo hi')));
    expect(await asked()).toEqual(['create MESSAGE_SEND', 'create MESSAGE_SEND_STREAM']);
    await ledgers(({ owners }) => expect(owners.size).toBe(0));
    expect(at((await pair.call(rpc('ListTasks', {}))).body, 'result.totalSize')).toBe(0);
  });
});

describe('TaskAuthorizationProvider', () => {
  it('given to forRoot stands before one that is declared', async () => {
    const refusing = new Ledger();
    refusing.verdict = () => false;
    const pair = await Pair.start(() => {
      @Module({
        imports: [probeModule({ providers: [{ provide: TaskAuthorizationProvider, useValue: refusing }] })],
        providers: [Ledger],
      })
      class AppModule {}
      return AppModule;
    });
    try {
      expect(at((await pair.call(rpc('SendMessage', message('echo hi')))).body, 'error.code')).toBe(-32001);
    } finally {
      await pair.close();
    }
  });
});

describe('without a provider', () => {
  it.each([
    ['by default', {}, 2],
    ['by default with a publicUrl', { publicUrl: 'https://agent.example.com' }, 0],
    ["with 'context'", { anonymousList: 'context' as const }, 0],
    ["with 'all' and a publicUrl", { anonymousList: 'all' as const, publicUrl: 'https://agent.example.com' }, 2],
  ])('anonymous callers list %s', async (_when, options, total) => {
    const pair = await Pair.start(() => probeModule({ guards: [BelievingGuard], ...options }));
    try {
      for (const contextId of ['c-1', 'c-2']) await pair.call(rpc('SendMessage', message('echo hi', { contextId })));
      await pair.call(rpc('SendMessage', message('echo hi'), asUser('ann')));
      expect(at((await pair.call(rpc('ListTasks', {}))).body, 'result.totalSize')).toBe(total);
      expect(at((await pair.call(rest('GET', '/tasks'))).body, 'totalSize')).toBe(total);
      const named = await pair.call(rpc('ListTasks', { contextId: 'c-1' }));
      expect(at(named.body, 'result.totalSize')).toBe(1);
      const known = await pair.call(rpc('ListTasks', {}, asUser('ann')));
      expect(at(known.body, 'result.totalSize')).toBe(1);
    } finally {
      await pair.close();
    }
  });
});
