import { describe, expect, it } from '@jest/globals';
import type { Decoder } from '../decode/decoder.js';
import * as read from './readers.js';

const readers = Object.entries(read);
const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'x' }] };
const status = { state: 'working' };
const task = { kind: 'task', id: 't', contextId: 'c', status };
const update = { kind: 'status-update', taskId: 't', contextId: 'c', status, final: false };
const protoMessage = { messageId: 'm', role: 'ROLE_AGENT', content: [{ text: 'x' }] };
const protoTask = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
const push = { taskId: 't', pushNotificationConfig: { url: 'https://h' } };
const v1Message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x' }] };
const working = { state: 'TASK_STATE_WORKING' };

describe('what is read of 0.3', () => {
  it.each<readonly [string, Decoder<unknown>, unknown, unknown]>([
    ['what is unknown is left out', read.fromV03Message, { ...message, extra: 1 }, v1Message],
    ['parts without a kind', read.fromV03Part, { data: { a: 1 } }, { data: { a: 1 } }],
    ['base64 of the other alphabet', read.fromV03Part, { kind: 'file', file: { bytes: '_-8' } }, { raw: '/+8=' }],
    [
      'a value that was wrapped, its metadata kept',
      read.fromV03Part,
      { kind: 'data', data: { value: 1 }, metadata: { data_part_compat: true, k: 'v' } },
      { data: 1, metadata: { k: 'v' } },
    ],
    [
      'a mark without a value',
      read.fromV03Part,
      { kind: 'data', data: { a: 1 }, metadata: { data_part_compat: true } },
      { data: { a: 1 }, metadata: { data_part_compat: true } },
    ],
    [
      'timestamps without a zone',
      read.fromV03Task,
      { ...task, status: { ...status, timestamp: '2025-04-02T16:59:25.331844' } },
      { id: 't', contextId: 'c', status: { ...working, timestamp: '2025-04-02T16:59:25.331Z' } },
    ],
    [
      'timestamps with one',
      read.fromV03Task,
      { ...task, status: { ...status, timestamp: '2025-04-02T16:59:25+02:00' } },
      { id: 't', contextId: 'c', status: { ...working, timestamp: '2025-04-02T14:59:25.000Z' } },
    ],
    [
      'who forgets `final` has not ended',
      read.fromV03StreamEvent,
      { ...update, final: undefined },
      { response: { statusUpdate: { taskId: 't', contextId: 'c', status: working } }, final: false },
    ],
    [
      'answers without parts',
      read.fromV03SendResult,
      { ...message, parts: [] },
      { message: { ...v1Message, parts: [] } },
    ],
    ['no answer for no push configs', read.fromV03PushConfigList, null, {}],
    [
      'the first of several schemes',
      read.fromV03TaskPushConfig,
      { taskId: 't', pushNotificationConfig: { url: 'u', authentication: { schemes: ['Basic', 'Bearer'] } } },
      { taskId: 't', url: 'u', authentication: { scheme: 'Basic' } },
    ],
    [
      'no scheme at all',
      read.fromV03TaskPushConfig,
      { taskId: 't', pushNotificationConfig: { url: 'u', authentication: { schemes: [] } } },
      { taskId: 't', url: 'u' },
    ],
    ['the push config of a task by the task', read.fromV03GetPushConfigParams, { id: 't' }, { taskId: 't', id: 't' }],
    [
      'a push config to delete',
      read.fromV03DeletePushConfigParams,
      { id: 't', pushNotificationConfigId: 'p' },
      { taskId: 't', id: 'p' },
    ],
    ['whose push configs', read.fromV03PushConfigListParams, { id: 't', metadata: {} }, { taskId: 't' }],
    ['a task to get', read.fromV03TaskQuery, { id: 't', historyLength: 0 }, { id: 't', historyLength: 0 }],
    ['a task to cancel', read.fromV03CancelParams, { id: 't', metadata: { a: 1 } }, { id: 't', metadata: { a: 1 } }],
    ['a task to listen to', read.fromV03TaskId, { id: 't', metadata: { a: 1 } }, { id: 't' }],
    [
      'silence on blocking waits',
      read.fromV03SendParams,
      { message, configuration: {} },
      { message: v1Message, configuration: {} },
    ],
    [
      'but not in the JSON of the proto file, which never says false',
      read.fromV03ProtoSendRequest,
      { message: protoMessage, configuration: {} },
      { message: v1Message, configuration: { returnImmediately: true } },
    ],
    [
      'both ways to spell an end, and numbers',
      (value) => read.fromV03ProtoTask({ ...protoTask, status: { state: value } }),
      'TASK_STATE_CANCELLED',
      { id: 't', contextId: 'c', status: { state: 'TASK_STATE_CANCELED' } },
    ],
    [
      'names in snake case',
      read.fromV03ProtoStreamEvent,
      { status_update: { task_id: 't', context_id: 'c', status: working } },
      { response: { statusUpdate: { taskId: 't', contextId: 'c', status: working } }, final: false },
    ],
    [
      'ids that stand in a name only',
      read.fromV03ProtoPushConfig,
      { name: 'tasks/a/b/pushNotificationConfigs/p', pushNotificationConfig: { url: 'u' } },
      { taskId: 'a/b', id: 'p', url: 'u' },
    ],
    [
      'a new push config that is bare',
      read.fromV03ProtoCreatePushConfig,
      { pushNotificationConfig: { url: 'u' } },
      { url: 'u' },
    ],
    [
      'a new push config that is wrapped',
      read.fromV03ProtoCreatePushConfig,
      { parent: 'tasks/t', configId: 'p', config: { pushNotificationConfig: { url: 'u' } } },
      { taskId: 't', id: 'p', url: 'u' },
    ],
  ])('%s', (_what, decode, value, expected) => {
    expect(decode(value)).toEqual({ ok: true, value: expected });
  });

  it.each<readonly [string, Decoder<unknown>, unknown, string]>([
    ['no kind', read.fromV03SendResult, { ...task, kind: undefined }, 'kind'],
    ['a kind that is no answer', read.fromV03SendResult, update, 'kind'],
    ['a kind that nobody knows', read.fromV03StreamEvent, { kind: 'constructor' }, 'kind'],
    ['two contents', read.fromV03Message, { ...message, parts: [{ text: 'x', data: {} }] }, 'parts[0]'],
    ['no content', read.fromV03Message, { ...message, parts: [{ kind: 'text' }] }, 'parts[0]'],
    ['a file of nothing', read.fromV03Message, { ...message, parts: [{ kind: 'file', file: {} }] }, 'parts[0].file'],
    ['bad base64', read.fromV03Part, { kind: 'file', file: { bytes: '*' } }, 'file.bytes'],
    ['no parts in a request', read.fromV03SendParams, { message: { ...message, parts: [] } }, 'message.parts'],
    ['a role of nobody', read.fromV03Message, { ...message, role: 'system' }, 'role'],
    ['a state of nowhere', read.fromV03Task, { ...task, status: { state: 'lost' } }, 'status.state'],
    ['a state that the agent lost', read.fromV03Task, { ...task, status: { state: 'unknown' } }, 'status.state'],
    ['a state by a name of all objects', read.fromV03Task, { ...task, status: { state: 'toString' } }, 'status.state'],
    ['no status', read.fromV03StreamEvent, { ...update, status: null }, 'status'],
    ['an end that is no boolean', read.fromV03StreamEvent, { ...update, final: 'yes' }, 'final'],
    ['a broken history', read.fromV03Task, { ...task, history: [message, 1] }, 'history[1]'],
    ['no URL', read.fromV03TaskPushConfig, { ...push, pushNotificationConfig: {} }, 'pushNotificationConfig.url'],
    [
      'credentials of no scheme',
      read.fromV03TaskPushConfig,
      { taskId: 't', pushNotificationConfig: { url: 'u', authentication: { credentials: 'x' } } },
      'pushNotificationConfig.authentication.schemes',
    ],
    ['a list that is none', read.fromV03PushConfigList, {}, ''],
    ['two frames in one', read.fromV03ProtoStreamEvent, { task: protoTask, message: protoMessage }, ''],
    ['parts by the wrong name', read.fromV03ProtoMessage, { ...protoMessage, content: undefined }, 'content'],
    ['data that is not wrapped', read.fromV03ProtoPart, { data: { a: 1 } }, 'data.data'],
  ])('refuses %s', (_what, decode, value, field) => {
    const result = decode(value);
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? [] : result.violations.map((violation) => violation.field)).toContain(field);
  });

  const deep: unknown = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
  const hostile: [string, unknown][] = [
    ['nothing', undefined],
    ['a text', 'task'],
    ['a number', Number.NaN],
    ['an array', [[]]],
    ['a function', () => 1],
    ['an object without a prototype', Object.create(null)],
    ['a deep object', { ...message, ...task, metadata: deep, pushNotificationConfig: deep, task: deep }],
    ['a key of all objects', JSON.parse('{"__proto__":{"kind":"task"},"constructor":1}')],
    ['many faults', { ...task, parts: Array(100_000).fill(1), history: Array(100_000).fill(1) }],
  ];
  it.each(hostile)('stands %s', (_what, value) => {
    for (const [, decode] of readers) {
      const result = decode(value);
      if (!result.ok) expect(result.violations.length).toBeLessThanOrEqual(32);
    }
  });
});
