import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module, type Type } from '@nestjs/common';
import { A2AModule, AgentCardProvider, AgentExecutor, type AgentCardInput, type A2AUser } from 'nestjs-a2a';
import type { AgentEmitter, RequestContext } from 'nestjs-a2a';
import { A2A_METHODS, isTextPart, type A2AMethod } from 'nestjs-a2a/protocol';
import { asUser, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, listAt, send, textAt, type Answer, type Call } from '../support/http-call.js';
import { Ledger, ownersOf } from '../support/ledger.provider.js';
import { Pair, type Side } from '../support/parity.js';

const CONTEXT = 'the-context-of-ann';
const HOOK = 'hook-of-ann';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

type Headers = Readonly<Record<string, string>>;

/** One method on a task, on each binding. */
interface Row {
  readonly method: A2AMethod;
  readonly note?: string;
  readonly params: (id: string) => object;
  readonly rest: (id: string, headers: Headers) => Call;
  readonly headers?: Headers;
}

const configs = (id: string): string => `/tasks/${id}/pushNotificationConfigs`;
const hook = { url: 'https://hooks.example.com/ann' };

const onTasks: readonly Row[] = [
  {
    method: 'SendMessage',
    params: (taskId) => message('more', { taskId }),
    rest: (taskId, headers) => rest('POST', '/message:send', message('more', { taskId }), headers),
  },
  {
    method: 'SendMessage',
    note: 'naming its context',
    params: (taskId) => message('more', { taskId, contextId: CONTEXT }),
    rest: (taskId, headers) => rest('POST', '/message:send', message('more', { taskId, contextId: CONTEXT }), headers),
  },
  {
    method: 'SendMessage',
    note: 'naming another context',
    params: (taskId) => message('more', { taskId, contextId: 'another' }),
    rest: (taskId, headers) =>
      rest('POST', '/message:send', message('more', { taskId, contextId: 'another' }), headers),
  },
  {
    method: 'SendStreamingMessage',
    params: (taskId) => message('more', { taskId }),
    rest: (taskId, headers) => rest('POST', '/message:stream', message('more', { taskId }), headers),
  },
  {
    method: 'GetTask',
    params: (id) => ({ id }),
    rest: (id, headers) => rest('GET', `/tasks/${id}?historyLength=5`, undefined, headers),
  },
  {
    method: 'CancelTask',
    params: (id) => ({ id }),
    rest: (id, headers) => rest('POST', `/tasks/${id}:cancel`, undefined, headers),
  },
  {
    method: 'SubscribeToTask',
    params: (id) => ({ id }),
    rest: (id, headers) => rest('GET', `/tasks/${id}:subscribe`, undefined, headers),
  },
  {
    method: 'SubscribeToTask',
    note: 'after an event',
    params: (id) => ({ id }),
    rest: (id, headers) => rest('POST', `/tasks/${id}:subscribe`, undefined, headers),
    headers: { 'last-event-id': '1' },
  },
  {
    method: 'CreateTaskPushNotificationConfig',
    params: (taskId) => ({ taskId, id: 'hook-of-ben', ...hook }),
    rest: (taskId, headers) => rest('POST', configs(taskId), { id: 'hook-of-ben', ...hook }, headers),
  },
  {
    method: 'CreateTaskPushNotificationConfig',
    note: 'in place of another',
    params: (taskId) => ({ taskId, id: HOOK, ...hook }),
    rest: (taskId, headers) => rest('POST', configs(taskId), { id: HOOK, ...hook }, headers),
  },
  {
    method: 'GetTaskPushNotificationConfig',
    params: (taskId) => ({ taskId, id: HOOK }),
    rest: (taskId, headers) => rest('GET', `${configs(taskId)}/${HOOK}`, undefined, headers),
  },
  {
    method: 'ListTaskPushNotificationConfigs',
    params: (taskId) => ({ taskId }),
    rest: (taskId, headers) => rest('GET', configs(taskId), undefined, headers),
  },
  {
    method: 'DeleteTaskPushNotificationConfig',
    params: (taskId) => ({ taskId, id: HOOK }),
    rest: (taskId, headers) => rest('DELETE', `${configs(taskId)}/${HOOK}`, undefined, headers),
  },
];

/** Tells what of others it is shown. */
class Nosy extends AgentExecutor {
  async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (context.text === 'pause') return emitter.requireInput('go on?');
    const messages = await context.conversation();
    const data = {
      referenced: context.referencedTasks.length,
      previous: (await context.previousTasks()).length,
      said: messages.map(({ parts }) =>
        parts
          .filter(isTextPart)
          .map(({ text }) => text)
          .join(''),
      ),
    };
    await emitter.addArtifact({ data });
    await emitter.complete();
  }
}

/** A card for each caller. */
class PersonalCards extends AgentCardProvider {
  getCard(): AgentCardInput {
    return { name: 'Matrix', skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }] };
  }

  override getExtendedCard(user: A2AUser): AgentCardInput {
    return { ...this.getCard(), name: `Matrix for ${user.id}` };
  }
}

function agent(): ReturnType<typeof A2AModule.forRoot> {
  return A2AModule.forRoot({
    executor: Nosy,
    guards: [BelievingGuard],
    // Nothing is to be sent: only who may say where to.
    push: { snapshotOnCreate: false },
    pushUrlValidator: () => true,
    providers: [{ provide: AgentCardProvider, useClass: PersonalCards }],
  });
}

const rules: readonly [string, () => Type][] = [
  [
    'the owner rule',
    () => {
      @Module({ imports: [agent()] })
      class AppModule {}
      return AppModule;
    },
  ],
  [
    'a provider',
    () => {
      const ledger = new Ledger();
      ledger.verdict = ownersOf(ledger);
      @Module({ imports: [agent()], providers: [{ provide: Ledger, useValue: ledger }] })
      class AppModule {}
      return AppModule;
    },
  ],
];

const strangers: readonly [string, Headers][] = [
  ['ben', asUser('ben')],
  ['nobody', {}],
];

const bindings: readonly [string, (row: Row, id: string, headers: Headers) => Call][] = [
  ['JSON-RPC', (row, id, headers) => rpc(row.method, row.params(id), { ...row.headers, ...headers })],
  ['HTTP+JSON', (row, id, headers) => row.rest(id, { ...row.headers, ...headers })],
];

/** All that a caller can tell, but for the id that they have named themselves. */
function told({ status, headers, text }: Answer, id: string): object {
  return { status, headers: { ...headers, date: undefined }, text: text.replaceAll(id, UNKNOWN) };
}

const reasonOf = ({ body }: Answer): unknown => at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');

describe.each(rules)("another user's task, under %s", (_rule, module) => {
  let pair: Pair;

  beforeAll(async () => {
    pair = await Pair.start(module);
    await pair.note(
      'id',
      'result.task.id',
      rpc('SendMessage', message('pause', { contextId: CONTEXT }), asUser('ann')),
    );
    const created = await pair.call((side) =>
      rpc('CreateTaskPushNotificationConfig', { taskId: side.note('id'), id: HOOK, ...hook }, asUser('ann')),
    );
    expect(at(created.body, 'result.id')).toBe(HOOK);
    await pair.each(async (side) => side.notes.set('before', await stateOf(side)));
  });
  afterAll(() => pair.close());

  /** What its owner sees of the task and its hooks. */
  async function stateOf(side: Side): Promise<string> {
    const task = await send(side.url, rpc('GetTask', { id: side.note('id') }, asUser('ann')));
    expect(at(task.body, 'result.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
    const taskId = side.note('id');
    const hooks = await send(side.url, rpc('ListTaskPushNotificationConfigs', { taskId }, asUser('ann')));
    expect(listAt(hooks.body, 'result.configs')).toHaveLength(1);
    return task.text + hooks.text;
  }

  const cases = onTasks.flatMap((row) =>
    bindings.flatMap(([binding, call]) =>
      strangers.map(([who, headers]) => ({ name: row.method, note: row.note ?? '', row, binding, call, who, headers })),
    ),
  );

  it.each(cases)('$name $note by $who on $binding is as for none', async ({ row, call, headers }) => {
    await pair.each(async (side) => {
      const id = side.note('id');
      const foreign = await send(side.url, call(row, id, headers));
      const none = await send(side.url, call(row, UNKNOWN, headers));
      expect(told(foreign, id)).toEqual(told(none, UNKNOWN));
      expect(reasonOf(foreign)).toBe('TASK_NOT_FOUND');
      expect(await stateOf(side)).toBe(side.note('before'));
    });
  });

  it.each(strangers)('is not in the lists of %s', async (_who, headers) => {
    for (const context of [CONTEXT, 'a-context-of-nobody', undefined]) {
      const viaRpc = await pair.call(rpc('ListTasks', { contextId: context }, headers));
      expect(viaRpc.body).toMatchObject({ result: { tasks: [], totalSize: 0, nextPageToken: '' } });
      const query = context === undefined ? '' : `?contextId=${context}`;
      const viaRest = await pair.call(rest('GET', `/tasks${query}`, undefined, headers));
      expect(viaRest.body).toMatchObject({ tasks: [], totalSize: 0, nextPageToken: '' });
    }
  });

  it.each(bindings.map(([name], index) => [name, index]))(
    'has no say in the extended card (%s)',
    async (_name, index) => {
      const ask = (headers: Headers): Call =>
        index === 0 ? rpc('GetExtendedAgentCard', {}, headers) : rest('GET', '/extendedAgentCard', undefined, headers);
      const card = await pair.call(ask(asUser('ben')));
      expect(card.text).toContain('Matrix for ben');
      expect(card.text).not.toContain('ann');
      expect((await pair.call(ask({}))).status).toBe(401);
    },
  );

  // These make tasks of their own, so they come last.
  it.each(strangers)('is not shown to the agent by %s', async (_who, headers) => {
    for (const method of ['SendMessage', 'SendStreamingMessage']) {
      const contextId = method === 'SendMessage' ? CONTEXT : `${CONTEXT}-too`;
      await pair.call(rpc('SendMessage', message('pause', { contextId }), asUser('ann')));
      const said = await pair.each(async (side) => {
        const params = message('what of others?', { contextId, referenceTaskIds: [side.note('id'), UNKNOWN] });
        const { text } = await send(side.url, rpc(method, params, headers));
        return text;
      });
      for (const text of said) {
        expect(text).toContain('{"referenced":0,"previous":0,"said":["what of others?"]}');
        expect(text).not.toContain('pause');
      }
    }
  });

  it('is its owner’s all the same', async () => {
    await pair.each(async (side) => {
      const params = message('mine', { contextId: CONTEXT, referenceTaskIds: [side.note('id')] });
      const { body } = await send(side.url, rpc('SendMessage', params, asUser('ann')));
      expect(at(body, 'result.task.artifacts.0.parts.0.data.referenced')).toBe(1);
      expect(at(body, 'result.task.artifacts.0.parts.0.data.previous')).toBeGreaterThanOrEqual(1);
      const { body: listed } = await send(side.url, rpc('ListTasks', { contextId: CONTEXT }, asUser('ann')));
      expect(at(listed, 'result.totalSize')).toBeGreaterThanOrEqual(2);
      expect(textAt(listed, 'result.tasks.0.id')).not.toBe('');
    });
  });
});

it('has every method in its table', () => {
  const others: A2AMethod[] = ['ListTasks', 'GetExtendedAgentCard'];
  const tabled = new Set([...others, ...onTasks.map(({ method }) => method)]);
  expect([...A2A_METHODS.values()].filter((method) => !tabled.has(method))).toEqual([]);
});
