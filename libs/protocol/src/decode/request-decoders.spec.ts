import { describe, expect, it } from '@jest/globals';
import {
  decodeCancelTaskRequest,
  decodeDeleteTaskPushNotificationConfigRequest,
  decodeGetExtendedAgentCardRequest,
  decodeGetTaskPushNotificationConfigRequest,
  decodeGetTaskRequest,
  decodeListTaskPushNotificationConfigsRequest,
  decodeListTasksRequest,
  decodeListTasksResponse,
  decodeSendMessageRequest,
  decodeSubscribeToTaskRequest,
  decodeTaskPushNotificationConfig,
} from '../decoders.js';
import type { Decoded } from './decoder.js';

const good = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hi' }] };

function fieldsOf(result: Decoded<unknown>): string[] {
  return result.ok ? [] : result.violations.map(({ field }) => field);
}

function valueOf<T>(result: Decoded<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.value;
}

describe('decodeSendMessageRequest', () => {
  it.each<[unknown, string]>([
    [undefined, ''],
    [null, ''],
    [[], ''],
    ['x', ''],
    [{}, 'message'],
    [{ message: null }, 'message'],
    [{ message: [] }, 'message'],
    [{ message: { ...good, messageId: undefined } }, 'message.messageId'],
    [{ message: { ...good, messageId: '' } }, 'message.messageId'],
    [{ message: { ...good, messageId: 7 } }, 'message.messageId'],
    [{ message: { ...good, role: undefined } }, 'message.role'],
    [{ message: { ...good, role: 'user' } }, 'message.role'],
    [{ message: { ...good, role: 'ROLE_UNSPECIFIED' } }, 'message.role'],
    [{ message: { ...good, role: 0 } }, 'message.role'],
    [{ message: { ...good, role: 3 } }, 'message.role'],
    [{ message: { ...good, role: 'constructor' } }, 'message.role'],
    [{ message: { ...good, parts: undefined } }, 'message.parts'],
    [{ message: { ...good, parts: [] } }, 'message.parts'],
    [{ message: { ...good, parts: { 0: { text: 'a' } } } }, 'message.parts'],
    [{ message: { ...good, parts: [{}] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [null] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [[]] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [{ text: 'a', url: 'b' }] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [{ text: 'a', data: null }] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [{ text: null }] } }, 'message.parts[0]'],
    [{ message: { ...good, parts: [{ text: 5 }] } }, 'message.parts[0].text'],
    [{ message: { ...good, parts: [{ text: 'a' }, { raw: '***' }] } }, 'message.parts[1].raw'],
    [{ message: { ...good, metadata: [] } }, 'message.metadata'],
    [{ message: { ...good, metadata: 'x' } }, 'message.metadata'],
    [{ message: { ...good, extensions: 'x' } }, 'message.extensions'],
    [{ message: { ...good, referenceTaskIds: ['a', null] } }, 'message.referenceTaskIds[1]'],
    [{ message: { ...good, message_id: 'm2' } }, 'message.messageId'],
    [{ message: { ...good, contextId: 'a', context_id: 'a' } }, 'message.contextId'],
    [{ message: good, configuration: { historyLength: -1 } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: 1.5 } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: '1.5' } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: '' } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: true } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: 2 ** 31 } }, 'configuration.historyLength'],
    [{ message: good, configuration: { historyLength: JSON.parse('1e999') } }, 'configuration.historyLength'],
    [{ message: good, configuration: { returnImmediately: 'true' } }, 'configuration.returnImmediately'],
    [{ message: good, configuration: [] }, 'configuration'],
    [
      { message: good, configuration: { taskPushNotificationConfig: {} } },
      'configuration.taskPushNotificationConfig.url',
    ],
    [
      { message: good, configuration: { taskPushNotificationConfig: { url: 'https://a', authentication: {} } } },
      'configuration.taskPushNotificationConfig.authentication.scheme',
    ],
  ])('%j is refused at %s', (params, field) => {
    expect(fieldsOf(decodeSendMessageRequest(params))).toEqual([field]);
  });

  it('reports several faults at once', () => {
    const result = decodeSendMessageRequest({ message: { role: 'x', parts: [{}, { text: 1 }] } });
    expect(fieldsOf(result)).toEqual([
      'message.messageId',
      'message.role',
      'message.parts[0]',
      'message.parts[1].text',
    ]);
  });

  it('reads snake_case, drops the unknown and the absent, and writes camelCase in a fixed order', () => {
    const value = valueOf(
      decodeSendMessageRequest({
        extra: true,
        configuration: {
          return_immediately: true,
          history_length: '10',
          accepted_output_modes: ['text/plain'],
          task_push_notification_config: { url: 'https://a', task_id: null },
        },
        message: {
          parts: [{ media_type: 'text/plain', text: '', future: 1 }],
          role: 1,
          message_id: 'm1',
          contextId: '',
          taskId: null,
          reference_task_ids: ['t0'],
          extensions: [],
          metadata: {},
        },
        tenant: '',
      }),
    );
    expect(JSON.stringify(value)).toBe(
      '{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"","mediaType":"text/plain"}],"metadata":{},"referenceTaskIds":["t0"]},' +
        '"configuration":{"acceptedOutputModes":["text/plain"],"taskPushNotificationConfig":{"url":"https://a"},"historyLength":10,"returnImmediately":true}}',
    );
  });

  it.each([[0], [10], ['0'], [1e1], [-0]])('takes %p as a history length', (historyLength) => {
    const value = valueOf(decodeSendMessageRequest({ message: good, configuration: { historyLength } }));
    expect(Object.is(value.configuration?.historyLength, Number(historyLength) + 0)).toBe(true);
  });

  it('shares nothing with what it was given', () => {
    const input = { message: { ...good, metadata: { a: { b: [1] } } } };
    const value = valueOf(decodeSendMessageRequest(input));
    input.message.metadata.a.b.push(2);
    input.message.parts.push({ text: 'more' });
    expect(value).toEqual({ message: { ...good, parts: [{ text: 'hi' }], metadata: { a: { b: [1] } } } });
  });

  it('decodes its own output to the same', () => {
    const value = valueOf(decodeSendMessageRequest({ message: { ...good, parts: [{ data: null }, { raw: 'aGk' }] } }));
    expect(valueOf(decodeSendMessageRequest(JSON.parse(JSON.stringify(value))))).toEqual(value);
  });

  it('takes a message of the agent, as replayed conversations hold them', () => {
    expect(decodeSendMessageRequest({ message: { ...good, role: 'ROLE_AGENT' } }).ok).toBe(true);
  });
});

describe('hostile bodies', () => {
  it('make an error of bounded size', () => {
    const result = decodeSendMessageRequest({
      message: { ...good, parts: Array.from({ length: 100_000 }, () => null) },
    });
    expect(fieldsOf(result)).toHaveLength(32);
    expect(JSON.stringify(result).length).toBeLessThan(4000);
  });

  it.each<[string, (inner: string) => string]>([
    ['metadata', (inner) => `{"message":{"messageId":"m","role":1,"parts":[{"text":""}],"metadata":{"a":${inner}}}}`],
    ['data', (inner) => `{"message":{"messageId":"m","role":1,"parts":[{"data":${inner}}]}}`],
  ])('may be deep in %s', (_where, body) => {
    const nest = (levels: number): unknown => JSON.parse(body('['.repeat(levels) + ']'.repeat(levels)));
    expect(decodeSendMessageRequest(nest(99)).ok).toBe(true);
    expect(decodeSendMessageRequest(nest(101)).ok).toBe(false);
    expect(decodeSendMessageRequest(nest(200_000)).ok).toBe(false);
  });

  it('may be deep where nobody looks', () => {
    const deep = JSON.parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000));
    expect(valueOf(decodeSendMessageRequest({ message: good, unknown: deep }))).toEqual({ message: good });
    expect(fieldsOf(decodeSendMessageRequest({ message: { ...good, metadata: deep } }))).toEqual(['message.metadata']);
  });

  it('cannot reach a prototype', () => {
    const value = valueOf(
      decodeSendMessageRequest(
        JSON.parse(
          '{"__proto__":{"tenant":"x"},"message":{"__proto__":{"taskId":"t"},"messageId":"m","role":1,"parts":[{"data":[{"__proto__":{"p":1},"q":2}]}],' +
            '"metadata":{"__proto__":{"p":1},"constructor":{"prototype":{"p":1}}}}}',
        ),
      ),
    );
    expect(value.message.parts).toEqual([{ data: [{ q: 2 }] }]);
    expect(Object.keys(value.message.metadata ?? {})).toEqual(['constructor']);
    expect(JSON.stringify(value)).not.toContain('__proto__');
    expect(Object.getPrototypeOf(value.message.metadata)).toBe(Object.prototype);
    expect(value.message.taskId).toBeUndefined();
    expect('p' in {}).toBe(false);
  });

  it('may hold halves of surrogate pairs', () => {
    const value = valueOf(decodeSendMessageRequest({ message: { ...good, parts: [{ text: '\ud800' }] } }));
    expect(value.message.parts).toEqual([{ text: '\ud800' }]);
  });

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY], [1n], [Symbol('s')], [() => 1], [new Date()], [new Map()]])(
    'cannot pass %p off as JSON',
    (x) => {
      expect(fieldsOf(decodeSendMessageRequest({ message: good, metadata: { x } }))).toEqual(['metadata']);
      expect(fieldsOf(decodeSendMessageRequest({ message: good, metadata: { a: [x] } }))).toEqual(['metadata']);
    },
  );

  it('may go round in circles', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(fieldsOf(decodeSendMessageRequest({ message: good, metadata: circle }))).toEqual(['metadata']);
  });
});

describe('decodeListTasksRequest', () => {
  it.each<[unknown, unknown]>([
    [{}, {}],
    [{ status: 'TASK_STATE_UNSPECIFIED', pageToken: '', contextId: '' }, {}],
    [{ status: 0 }, {}],
    [{ status: 3 }, { status: 'TASK_STATE_COMPLETED' }],
    [
      { page_size: '100', includeArtifacts: false },
      { pageSize: 100, includeArtifacts: false },
    ],
    [{ statusTimestampAfter: '2026-01-01T02:00:00+02:00' }, { statusTimestampAfter: '2026-01-01T00:00:00.000Z' }],
  ])('%j is %j', (params, value) => {
    expect(decodeListTasksRequest(params)).toEqual({ ok: true, value });
  });

  it.each<[unknown, string]>([
    [{ pageSize: 0 }, 'pageSize'],
    [{ pageSize: 101 }, 'pageSize'],
    [{ pageSize: -1 }, 'pageSize'],
    [{ pageSize: '5x' }, 'pageSize'],
    [{ historyLength: -1 }, 'historyLength'],
    [{ status: 'completed' }, 'status'],
    [{ status: 99 }, 'status'],
    [{ statusTimestampAfter: 'yesterday' }, 'statusTimestampAfter'],
    [{ statusTimestampAfter: 5 }, 'statusTimestampAfter'],
    [{ pageToken: 5 }, 'pageToken'],
  ])('%j is refused at %s', (params, field) => {
    expect(fieldsOf(decodeListTasksRequest(params))).toEqual([field]);
  });
});

describe('the other requests', () => {
  it.each<[string, (value: unknown) => Decoded<unknown>, unknown, string[]]>([
    ['get', decodeGetTaskRequest, { id: 't', historyLength: 0 }, ['id']],
    ['cancel', decodeCancelTaskRequest, { id: 't', metadata: { a: null } }, ['id']],
    ['subscribe', decodeSubscribeToTaskRequest, { tenant: 'x', id: 't' }, ['id']],
    ['push create', decodeTaskPushNotificationConfig, { taskId: 't', url: 'https://a' }, ['url']],
    ['push get', decodeGetTaskPushNotificationConfigRequest, { taskId: 't', id: 'c' }, ['taskId', 'id']],
    ['push delete', decodeDeleteTaskPushNotificationConfigRequest, { taskId: 't', id: 'c' }, ['taskId', 'id']],
    ['push list', decodeListTaskPushNotificationConfigsRequest, { taskId: 't', pageSize: 500 }, ['taskId']],
    ['card', decodeGetExtendedAgentCardRequest, { tenant: 'x' }, []],
  ])('%s: takes the good one, names what the empty one lacks', (_name, decode, value, missing) => {
    expect(decode(value)).toEqual({ ok: true, value });
    expect(fieldsOf(decode({}))).toEqual(missing);
    expect(fieldsOf(decode([]))).toEqual(['']);
    expect(fieldsOf(decode(null))).toEqual(['']);
  });

  it('the extended card may be asked for without params', () => {
    expect(decodeGetExtendedAgentCardRequest(undefined)).toEqual({ ok: true, value: {} });
  });

  it('push list: a page size of 0 is none, a negative one is a fault', () => {
    expect(decodeListTaskPushNotificationConfigsRequest({ taskId: 't', pageSize: 0 })).toEqual({
      ok: true,
      value: { taskId: 't' },
    });
    expect(fieldsOf(decodeListTaskPushNotificationConfigsRequest({ taskId: 't', pageSize: -1 }))).toEqual(['pageSize']);
  });

  it('a list answer always has its four fields', () => {
    const empty = { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 };
    expect(decodeListTasksResponse({})).toEqual({ ok: true, value: empty });
    expect(decodeListTasksResponse(empty)).toEqual({ ok: true, value: empty });
  });
});
