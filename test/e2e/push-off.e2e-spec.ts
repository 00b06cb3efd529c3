import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import type { Pair } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';
import { probeCard } from '../probe-agent/probe.options.js';

const URL = 'https://example.com/hook';

describe.each([
  ['switched off', { push: false } as const],
  ['denied by the card', { agentCard: { ...probeCard(), capabilities: { pushNotifications: false } } }],
])('push notifications %s', (_how, options) => {
  let pair: Pair;

  beforeAll(async () => {
    pair = await probePair(options);
    await pair.note('done', 'result.task.id', rpc('SendMessage', message('echo done')));
  });

  afterAll(() => pair.close());

  it('are not in the card (law 12)', async () => {
    const card = await pair.call({ path: CARD_PATH });
    expect(at(card.body, 'capabilities.pushNotifications')).not.toBe(true);
  });

  it.each([
    ['CreateTaskPushNotificationConfig', { url: URL }],
    ['GetTaskPushNotificationConfig', { id: 'p-1' }],
    ['ListTaskPushNotificationConfigs', {}],
    ['DeleteTaskPushNotificationConfig', { id: 'p-1' }],
  ])('%s says so', async (method, params) => {
    const answer = await pair.call((side) => rpc(method, { taskId: side.note('done'), ...params }));
    expect(answer.status).toBe(200);
    expect(at(answer.body, 'error.code')).toBe(-32003);
  });

  it.each([
    ['POST', '', { url: URL }],
    ['GET', '', undefined],
    ['GET', '/p-1', undefined],
    ['DELETE', '/p-1', undefined],
  ])('%s pushNotificationConfigs%s says so', async (verb, end, body) => {
    const answer = await pair.call((side) =>
      rest(verb, `/tasks/${side.note('done')}/pushNotificationConfigs${end}`, body),
    );
    expect(answer.status).toBe(400);
    expect(at(answer.body, 'error.details.0.reason')).toBe('PUSH_NOTIFICATION_NOT_SUPPORTED');
  });

  it.each(['SendMessage', 'SendStreamingMessage'])('%s with a config says so, and makes no task', async (method) => {
    const params = message('echo', {}, { configuration: { taskPushNotificationConfig: { url: URL } } });
    const answer = await pair.call(rpc(method, params));
    expect(at(answer.body, 'error.code')).toBe(-32003);
    const list = await pair.call(rpc('ListTasks', {}));
    expect(at(list.body, 'result.totalSize')).toBe(1);
  });
});
