import { callerOf } from '../../test/support/caller.js';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ExtensionSupportRequiredError,
  InvalidParamsError,
  PermissionDeniedError,
  PushNotificationNotSupportedError,
  TaskState,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type A2AMethod,
  type AgentCard,
} from 'nestjs-a2a/protocol';
import { AgentsUnderTest } from '../../test/support/in-process-agent.js';
import { AgentProfile } from '../agent/agent-profile.js';
import { ANONYMOUS_USER, type A2AUser } from '../authorization/a2a-user.js';
import { AnyTenantResolver, TenantResolver } from '../authorization/tenant.resolver.js';
import { OperationGate, type CallEntry } from './operation.gate.js';

const EXTENSION = 'https://example.com/ext/v1';
const OPTIONAL = 'https://example.com/optional/v1';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

class OnlyAcme extends TenantResolver {
  override mayUse(_: A2AUser, tenant: string): boolean {
    return tenant === '' || tenant === 'acme';
  }
}

function gateOf(
  capabilities: AgentCard['capabilities'] = { streaming: true },
  tenants: TenantResolver = new AnyTenantResolver(),
) {
  const calls: { tenant: string; extensions: readonly string[] }[] = [];
  const agent = agents.make({
    execute: async ({ call }, emitter) => {
      calls.push({ tenant: call.tenant, extensions: call.requestedExtensions });
      await emitter.complete();
    },
  });
  const profile = new AgentProfile({ capabilities, defaultInputModes: ['text/plain'], skills: [] });
  const gate = new OperationGate({ handler: agent.handler, tenants, profile: () => profile });
  return { gate, agent, calls };
}

function entryOf(entry: Partial<CallEntry> = {}): CallEntry {
  return {
    user: ANONYMOUS_USER,
    binding: 'IN_PROCESS',
    version: undefined,
    tenant: undefined,
    headers: {},
    request: {},
    caller: callerOf(new AbortController().signal),
    ...entry,
  };
}

const hello = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] } };
const required = { streaming: true, extensions: [{ uri: EXTENSION, required: true }, { uri: OPTIONAL }] };

describe('Gate', () => {
  it.each([undefined, '', '1.0', '1.0.0', '1.0.9'])('takes version %s', async (version) => {
    const { gate } = gateOf();
    expect(await gate.pass('ListTasks', {}, entryOf({ version }))).toMatchObject({ result: { kind: 'value' } });
  });

  it.each(['0.3', '1.1', '2.0', 'garbage', '1', '1.0.x'])(
    'refuses version %s on every operation (P87)',
    async (version) => {
      const { gate } = gateOf();
      const methods: A2AMethod[] = ['SendMessage', 'GetTask', 'ListTasks', 'CancelTask', 'GetExtendedAgentCard'];
      for (const method of methods) {
        await expect(gate.pass(method, {}, entryOf({ version }))).rejects.toBeInstanceOf(VersionNotSupportedError);
      }
    },
  );

  it('goes through its checks in one order (law 8)', async () => {
    const { gate, agent } = gateOf({ ...required, streaming: false }, new OnlyAcme());
    const faults: [unknown, Partial<CallEntry>, abstract new (...args: never[]) => Error][] = [
      [[], { version: '9.9', tenant: 'evil' }, VersionNotSupportedError],
      [[], { tenant: 'evil' }, InvalidParamsError],
      [{}, { tenant: 'evil' }, ExtensionSupportRequiredError],
      [{}, { tenant: 'evil', headers: { 'a2a-extensions': EXTENSION } }, UnsupportedOperationError],
    ];
    for (const [params, entry, error] of faults) {
      await expect(gate.pass('SendStreamingMessage', params, entryOf(entry))).rejects.toBeInstanceOf(error);
    }
    const asked = { headers: { 'a2a-extensions': EXTENSION } };
    const noFields = gate.pass('SendMessage', {}, entryOf({ ...asked, tenant: 'evil' }));
    await expect(noFields).rejects.toBeInstanceOf(InvalidParamsError);
    const tenant = gate.pass('SendMessage', hello, entryOf({ ...asked, tenant: 'evil' }));
    await expect(tenant).rejects.toBeInstanceOf(PermissionDeniedError);
    expect(await agent.countStored()).toBe(0);
    expect(agent.observer.events).toEqual([]);
  });

  it.each([
    ['SendStreamingMessage', hello, UnsupportedOperationError],
    ['SubscribeToTask', { id: 't' }, UnsupportedOperationError],
    ['CreateTaskPushNotificationConfig', {}, PushNotificationNotSupportedError],
    ['GetTaskPushNotificationConfig', {}, PushNotificationNotSupportedError],
    ['ListTaskPushNotificationConfigs', {}, PushNotificationNotSupportedError],
    ['DeleteTaskPushNotificationConfig', {}, PushNotificationNotSupportedError],
    ['GetExtendedAgentCard', {}, UnsupportedOperationError],
  ] as const)('%s without its capability', async (method, params, error) => {
    const { gate } = gateOf({});
    await expect(gate.pass(method, params, entryOf())).rejects.toBeInstanceOf(error);
  });

  it('required extension not requested: -32008 on send and stream only', async () => {
    const { gate, calls } = gateOf(required);
    for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
      const missing = gate.pass(method, hello, entryOf({ headers: { 'a2a-extensions': OPTIONAL } }));
      await expect(missing).rejects.toBeInstanceOf(ExtensionSupportRequiredError);
    }
    await gate.pass('ListTasks', {}, entryOf());
    const headers = { 'a2a-extensions': `${OPTIONAL}, ${EXTENSION}, https://example.com/unknown` };
    await gate.pass('SendMessage', hello, entryOf({ headers }));
    // What the card does not declare cannot be activated, so it was not asked for.
    expect(calls.map(({ extensions }) => [...extensions].sort())).toEqual([[EXTENSION, OPTIONAL].sort()]);
  });

  it.each([
    [undefined, undefined, ''],
    [undefined, 'acme', 'acme'],
    ['acme', undefined, 'acme'],
    ['acme', '', 'acme'],
    ['acme', 'acme', 'acme'],
  ])('tenant: path %s, body %s gives %s', async (inPath, inBody, tenant) => {
    const { gate, calls } = gateOf();
    await gate.pass('SendMessage', { ...hello, tenant: inBody }, entryOf({ tenant: inPath }));
    expect(calls.map((call) => call.tenant)).toEqual([tenant]);
  });

  it('tenant: a body that names another one than the path is -32602', async () => {
    const { gate } = gateOf();
    const mixed = gate.pass('ListTasks', { tenant: 'other' }, entryOf({ tenant: 'acme' }));
    await expect(mixed).rejects.toBeInstanceOf(InvalidParamsError);
  });

  it.each([
    ['no message', {}],
    ['no parts', { message: { ...hello.message, parts: [] } }],
    ['no messageId', { message: { role: 'ROLE_USER', parts: [{ text: 'hi' }] } }],
    ['no role', { message: { messageId: 'm', parts: [{ text: 'hi' }] } }],
    ['a oneof with two members', { message: { ...hello.message, parts: [{ text: 'hi', url: 'https://a.example' }] } }],
    ['a negative historyLength', { ...hello, configuration: { historyLength: -1 } }],
  ])('%s: -32602 with field violations, before any task exists (P10)', async (_, params) => {
    const { gate, agent } = gateOf();
    for (const method of ['SendMessage', 'SendStreamingMessage'] as const) {
      const refused = gate.pass(method, params, entryOf());
      await expect(refused).rejects.toBeInstanceOf(InvalidParamsError);
      await expect(refused).rejects.toMatchObject({ violations: expect.arrayContaining([expect.anything()]) });
    }
    expect(agent.observer.events).toEqual([]);
    expect(await agent.countStored()).toBe(0);
  });

  it('unknown fields are ignored, snake_case is taken', async () => {
    const { gate, calls } = gateOf();
    const message = { message_id: 'm', role: 'ROLE_USER', parts: [{ text: 'hi', odd: 1 }], odd: true };
    await gate.pass('SendMessage', { message, odd: {} }, entryOf());
    expect(calls).toHaveLength(1);
  });

  it.each([null, undefined, [], 'x', 7])('params %j are no object: -32602', async (params) => {
    const { gate } = gateOf();
    await expect(gate.pass('ListTasks', params, entryOf())).rejects.toBeInstanceOf(InvalidParamsError);
  });

  it.each(['-1', '1e3', 'abc', '', '9'.repeat(16), ' 1'])('Last-Event-ID %j is as good as none', async (id) => {
    const { gate, agent } = gateOf();
    const asking = agents.make({
      store: agent.store,
      execute: (_, emitter) => emitter.requireInput('?'),
    });
    const task = await asking.sendForTask('hi');
    const passed = await gate.pass('SubscribeToTask', { id: task.id }, entryOf({ headers: { 'last-event-id': id } }));
    if (passed.result.kind !== 'stream') throw new Error('Not a stream');
    const frames: string[] = [];
    passed.result.frames.subscribe((frame) => frames.push(frame.json)).unsubscribe();
    expect(frames).toHaveLength(1);
    expect(frames[0]).toContain(TaskState.INPUT_REQUIRED);
  });
});
