import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2ADiagnostics, AddressPushUrlPolicy, PushNotificationConfigStore } from 'nestjs-a2a';
import { PushDelivery } from '../../src/push/push-delivery.js';
import { PUSH_DEFAULTS } from '../../src/push/push-settings.js';
import { InMemoryPushNotificationConfigStore } from '../../src/push/in-memory-push-config.store.js';
import { startCanary, type Canary } from '../net/canary.js';
import { hostileResolver, hostileUrls } from '../net/hostile-urls.js';
import { message, rest, rpc } from '../support/a2a-calls.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { at, send, type Answer, type Call } from '../support/http-call.js';
import type { Pair, Side } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';
import { notificationOf, targetOf } from '../support/push-bench.js';

let canary: Canary;
let pair: Pair;
const logger = new CapturingLogger();

beforeAll(async () => {
  canary = await startCanary();
  // As open as can be: plain http, and the canary's port.
  const allow = { allowHttp: true, ports: [canary.port, 443] };
  pair = await probePair({ push: { allow, retryDelaysMs: [0], drainSeconds: 0 } }, false, { logger });
  await pair.note('task', 'result.task.id', rpc('SendMessage', message('pause q')));
});

afterAll(async () => {
  await pair.close();
  await canary.close();
});

type CallOf = (side: Side, url: string) => Call;

function inline(url: string): object {
  return message('echo hi', {}, { configuration: { taskPushNotificationConfig: { url } } });
}

function isRefused({ body }: Answer): boolean {
  const data = at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');
  return data === 'INVALID_PARAMS';
}

describe('a hostile URL', () => {
  it.each<[string, CallOf]>([
    ['create, JSON-RPC', (side, url) => rpc('CreateTaskPushNotificationConfig', { taskId: side.note('task'), url })],
    ['create, REST', (side, url) => rest('POST', `/tasks/${side.note('task')}/pushNotificationConfigs`, { url })],
    ['inline, JSON-RPC', (_side, url) => rpc('SendMessage', inline(url))],
    ['inline on a stream, JSON-RPC', (_side, url) => rpc('SendStreamingMessage', inline(url))],
    ['inline, REST', (_side, url) => rest('POST', '/message:send', inline(url))],
    ['inline on a stream, REST', (_side, url) => rest('POST', '/message:stream', inline(url))],
  ])('is refused at %s, and no task is made', async (_what, callOf) => {
    const urls = hostileUrls(canary.port).filter(({ known }) => known);
    expect(urls.length).toBeGreaterThanOrEqual(120);
    const passed = await pair.each(async (side) => {
      const answers = await Promise.all(
        urls.map(async ({ url }) => ({ url, answer: await send(side.url, callOf(side, url)) })),
      );
      return answers.filter(({ answer }) => !isRefused(answer)).map(({ url, answer }) => `${url}: ${answer.text}`);
    });
    expect(passed).toEqual([[], []]);
    const list = await pair.call(rpc('ListTasks', {}));
    expect(at(list.body, 'result.totalSize')).toBe(1);
    expect(canary.touched()).toBe(0);
  });

  it('that got into the store all the same is judged again before anything is sent', async () => {
    const urls = hostileUrls(canary.port).filter(({ known }) => known);
    await pair.each(async (side) => {
      const { app } = side.running;
      const store = app.get(PushNotificationConfigStore, { strict: false });
      const key = { agent: '', tenant: '', id: side.note('task') };
      for (const [index, { url }] of urls.entries()) {
        await store.save(key, { id: `c${index}`, taskId: key.id, url }, urls.length);
      }
      await send(side.url, rpc('SendMessage', message('x', { taskId: key.id })));
      const diagnostics = app.get(A2ADiagnostics, { strict: false });
      while (diagnostics.gauges().pushQueued > 0) await new Promise((resolve) => setImmediate(resolve));
    });
    // Each was followed, refused three times, and given up.
    const disabled = logger.lines.filter((line) => line.includes('is disabled'));
    expect(disabled).toHaveLength(2 * urls.length);
    expect(canary.touched()).toBe(0);
  });

  it('is not delivered to, whatever its name resolves to then', async () => {
    const store = new InMemoryPushNotificationConfigStore();
    const policy = new AddressPushUrlPolicy({ allowHttp: true, ports: [canary.port, 443] });
    const delivery = new PushDelivery({
      settings: PUSH_DEFAULTS,
      specRevision: '1.0.1',
      store,
      policy,
      resolve: hostileResolver,
    });
    const table = hostileUrls(canary.port);
    const target = targetOf('c');
    const verdicts = await Promise.all(
      table.map(async ({ url }, index) => {
        const configId = `c${index}`;
        await store.save(target.key, { id: configId, taskId: 't1', url }, table.length);
        const notification = notificationOf({ ...target, configId }, 1);
        return { url, ...(await delivery.attempt(notification, new AbortController().signal)) };
      }),
    );
    expect(verdicts.filter(({ kind }) => kind !== 'lost')).toEqual([]);
    expect(canary.touched()).toBe(0);
    await delivery.close();
  });

  it('would reach the canary if nobody judged it', async () => {
    const store = new InMemoryPushNotificationConfigStore();
    const policy = { mayRegister: () => true, mayDeliver: () => true, mayConnect: () => true };
    const services = {
      settings: PUSH_DEFAULTS,
      specRevision: '1.0.1',
      store,
      policy,
      resolve: hostileResolver,
    } as const;
    const delivery = new PushDelivery(services);
    const target = targetOf('c');
    await store.save(target.key, { id: 'c', taskId: 't1', url: `http://inside.example:${canary.port}/` }, 1);
    const { kind } = await delivery.attempt(notificationOf(target, 1), new AbortController().signal);
    expect(kind).toBe('delivered');
    expect(canary.touched()).toBe(1);
    await delivery.close();
  });
});
