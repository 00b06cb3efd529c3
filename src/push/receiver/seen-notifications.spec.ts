import { describe, expect, it, jest } from '@jest/globals';
import { ReceivedPushNotification } from './received-push-notification.js';
import { SeenNotifications } from './seen-notifications.js';

describe('SeenNotifications', () => {
  it('gives attempts at the same time one end, and lets what failed be done again', async () => {
    const seen = new SeenNotifications(2);
    const ends: ((end: Error | string) => void)[] = [];
    const act = jest.fn(
      () =>
        new Promise<string>((resolve, reject) => {
          ends.push((end) => (typeof end === 'string' ? resolve(end) : reject(end)));
        }),
    );
    const failing = [seen.once('a', act), seen.once('a', act)];
    ends[0]?.(new Error('later'));
    expect(await Promise.allSettled(failing)).toEqual(
      failing.map(() => ({ status: 'rejected', reason: new Error('later') })),
    );
    const working = [seen.once('a', act), seen.once('a', act), seen.once('b', act)];
    ends[1]?.('done');
    ends[2]?.('done');
    expect(await Promise.all(working)).toEqual(['done', undefined, 'done']);
    expect(await seen.once('a', act)).toBeUndefined();
    expect(act).toHaveBeenCalledTimes(3);
  });

  it('forgets the one seen longest ago', async () => {
    const seen = new SeenNotifications(2);
    const done: string[] = [];
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await seen.once(id, async () => done.push(id));
    expect(done).toEqual(['a', 'b', 'c', 'b']);
  });
});

describe('ReceivedPushNotification', () => {
  const event = { message: { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [], taskId: 't1' } };
  it.each<[string | undefined, string | undefined, number | undefined]>([
    ['t1/c1/7', 'c1', 7],
    ['t1/a%2Fb%25/12', 'a/b%', 12],
    ['t2/c1/7', undefined, undefined],
    ['t1/c1/7/8', undefined, undefined],
    ['t1/c1/x', undefined, undefined],
    ['t1/c1/9999999999999999', undefined, undefined],
    ['t1/%/7', undefined, undefined],
    ['msg_1', undefined, undefined],
    [undefined, undefined, undefined],
  ])('%s', (id, configId, sequence) => {
    expect(new ReceivedPushNotification(id, event)).toEqual({ id, event, taskId: 't1', configId, sequence });
  });

  it('takes the task of a message that names none from the id', () => {
    const silent = { message: { ...event.message, taskId: undefined } };
    expect(new ReceivedPushNotification('t1/c1/7', silent)).toMatchObject({ taskId: 't1', configId: 'c1' });
  });
});
