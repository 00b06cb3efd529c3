import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Hook, type HookAnswer } from '../../test/support/hook.js';
import { notificationOf, targetOf } from '../../test/support/push-bench.js';
import { InMemoryPushNotificationConfigStore } from './in-memory-push-config.store.js';
import { PushDelivery, type PushDeliveryServices, type PushVerdict } from './push-delivery.js';
import type { StoredPushConfig } from './push-notification-config-store.js';
import { PushSigner } from './push-signer.js';
import { PUSH_DEFAULTS } from './push-settings.js';
import { PushUrlPolicy } from './push-url.policy.js';

const NOW = 1_700_000_000_000;
const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'];

class OpenPolicy extends PushUrlPolicy {
  override mayRegister(_url: string): boolean {
    return true;
  }

  override mayDeliver(_url: string): boolean | Promise<boolean> {
    return true;
  }

  override mayConnect(_address: string, _url: string): boolean {
    return true;
  }
}

let hook: Hook;
let answer: HookAnswer;
let deliveries: PushDelivery[];
const target = targetOf('c');

beforeEach(async () => {
  answer = 200;
  deliveries = [];
  hook = await Hook.open(() => answer);
});

afterEach(async () => {
  await Promise.all(deliveries.map((delivery) => delivery.close()));
  await hook.close();
});

async function attempt(
  config: Partial<StoredPushConfig> = {},
  services: Partial<PushDeliveryServices> = {},
  signal = new AbortController().signal,
): Promise<PushVerdict> {
  const store = new InMemoryPushNotificationConfigStore();
  await store.save(target.key, { id: 'c', taskId: 't1', url: hook.url, ...config }, 1);
  const delivery = new PushDelivery({
    settings: PUSH_DEFAULTS,
    specRevision: '1.0.1',
    store,
    policy: new OpenPolicy(),
    now: () => NOW,
    ...services,
  });
  deliveries.push(delivery);
  return delivery.attempt(notificationOf(target, 3), signal);
}

describe('the request', () => {
  it('is a POST of the event, with its id', async () => {
    expect(await attempt()).toEqual({ kind: 'delivered' });
    expect(hook.calls[0]).toMatchObject({
      method: 'POST',
      path: '/hook',
      text: '{"n":3}',
      headers: { 'content-type': 'application/a2a+json', 'x-a2a-notification-id': 't1/c/3', 'content-length': '7' },
    });
    for (const name of ['authorization', 'x-a2a-notification-token', 'webhook-id', 'cookie']) {
      expect(hook.calls[0]?.headers).not.toHaveProperty(name);
    }
  });

  it('is plain JSON for peers of the older revision', async () => {
    await attempt({}, { specRevision: '1.0.0' });
    expect(hook.calls[0]?.headers['content-type']).toBe('application/json');
  });

  it('has both headers when both are given', async () => {
    await attempt({ token: 'tok', authentication: { scheme: 'Basic', credentials: 'abc' } });
    expect(hook.calls[0]?.headers).toMatchObject({ authorization: 'Basic abc', 'x-a2a-notification-token': 'tok' });
  });

  it('has no Authorization without credentials', async () => {
    await attempt({ authentication: { scheme: 'Bearer' } });
    expect(hook.calls[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is signed with every secret', async () => {
    await attempt({}, { settings: { ...PUSH_DEFAULTS, signer: new PushSigner(SECRETS) } });
    expect(hook.calls[0]?.headers).toMatchObject({
      'webhook-id': 't1/c/3',
      'webhook-timestamp': '1700000000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/),
    });
  });
});

describe('the answer', () => {
  const retry = (reason: string, afterMs?: number) => ({
    kind: 'retry',
    reason,
    ...(afterMs !== undefined && { afterMs }),
  });
  const with503 = (value: string) => ({ status: 503, headers: { 'retry-after': value } });

  it.each<[string, HookAnswer, object]>([
    ['204', 204, { kind: 'delivered' }],
    ['299', 299, { kind: 'delivered' }],
    ['304', 304, { kind: 'lost', reason: 'status 304' }],
    ['404', 404, { kind: 'lost', reason: 'status 404' }],
    ['408', 408, retry('status 408')],
    ['425', 425, retry('status 425')],
    ['429', 429, retry('status 429')],
    ['500', 500, retry('status 500')],
    ['599', 599, retry('status 599')],
    ['503 with Retry-After', with503('20'), retry('status 503', 20_000)],
    ['503 with a Retry-After that is too long', with503('86400'), retry('status 503', 60_000)],
    ['500 with Retry-After', { status: 500, headers: { 'retry-after': '20' } }, retry('status 500')],
  ])('%s', async (_what, given, expected) => {
    answer = given;
    expect(await attempt()).toEqual(expected);
  });

  it('that does not come is waited for so long only', async () => {
    answer = 'hang';
    const settings = { ...PUSH_DEFAULTS, timeoutMs: 20 };
    expect(await attempt({}, { settings })).toEqual(retry('TIMEOUT'));
  });

  it('that cannot be had is a reason to try again', async () => {
    expect(await attempt({ url: 'http://127.0.0.1:1/' })).toEqual(retry('CONNECT_FAILED'));
  });
});

describe('nothing is sent', () => {
  it('when the config is not there any more', async () => {
    expect(await attempt({ id: 'another' })).toEqual({ kind: 'gone' });
    expect(hook.calls).toEqual([]);
  });

  it.each<[string, Partial<PushUrlPolicy>, object]>([
    ['to a URL that is not allowed', { mayDeliver: () => false }, { kind: 'lost', reason: 'the URL is not allowed' }],
    [
      'to an address that is not allowed',
      { mayConnect: () => false },
      { kind: 'lost', reason: 'The target is refused: the address is not allowed' },
    ],
    [
      'to a URL about which the policy does not plainly say yes',
      { mayDeliver: (): boolean => JSON.parse('"no"') },
      { kind: 'lost', reason: 'the URL is not allowed' },
    ],
    [
      'to an address about which the policy does not plainly say yes',
      { mayConnect: (): boolean => JSON.parse('"no"') },
      { kind: 'lost', reason: 'The target is refused: the address is not allowed' },
    ],
    [
      'when the policy fails',
      { mayDeliver: () => Promise.reject(new Error('https://secret.example')) },
      { kind: 'retry', reason: 'the PushUrlPolicy failed' },
    ],
  ])('%s', async (_what, methods, expected) => {
    expect(await attempt({}, { policy: Object.assign(new OpenPolicy(), methods) })).toEqual(expected);
    expect(hook.calls).toEqual([]);
  });

  it('when the store fails, and what it threw is not told', async () => {
    const store = new InMemoryPushNotificationConfigStore();
    store.get = () => Promise.reject(new Error('password of the database'));
    expect(await attempt({}, { store })).toEqual({ kind: 'retry', reason: 'the config could not be read' });
  });

  it.each<[string, Partial<PushDeliveryServices>, string]>([
    ['the store', { store: hangingStore() }, 'the config could not be read'],
    ['the policy', { policy: hangingPolicy() }, 'the PushUrlPolicy failed'],
  ])('when %s hangs, and its slot is given back in time', async (_what, services, reason) => {
    const settings = { ...PUSH_DEFAULTS, timeoutMs: 20 };
    expect(await attempt({}, { ...services, settings })).toEqual({ kind: 'retry', reason });
    expect(hook.calls).toEqual([]);
  });

  it('when it is broken off while the policy hangs', async () => {
    const aborter = new AbortController();
    const policy = hangingPolicy(() => aborter.abort());
    expect(await attempt({}, { policy }, aborter.signal)).toEqual({ kind: 'gone' });
  });

  it('when it is broken off', async () => {
    expect(await attempt({}, {}, AbortSignal.abort())).toEqual({ kind: 'gone' });
    expect(hook.calls).toEqual([]);
  });
});

function hangingStore(): InMemoryPushNotificationConfigStore {
  const store = new InMemoryPushNotificationConfigStore();
  store.get = () => new Promise(() => undefined);
  return store;
}

function hangingPolicy(asked = (): void => undefined): PushUrlPolicy {
  const policy = new OpenPolicy();
  policy.mayDeliver = () => {
    queueMicrotask(asked);
    return new Promise(() => undefined);
  };
  return policy;
}
