import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressPolicy, ForbiddenTargetError, SafeHttpClient, type TargetPolicy } from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { startCanary, type Canary } from './canary.js';
import { hostileResolver, hostileUrls } from './hostile-urls.js';

const NOTHING_CHECKED: TargetPolicy = { checkUrl: () => undefined, checkAddress: () => undefined };

describe('hostile URLs', () => {
  let canary: Canary;
  beforeAll(async () => {
    canary = await startCanary();
  });
  afterAll(() => canary.close());

  it('are many, and each is written once', () => {
    const urls = hostileUrls(canary.port).map(({ url }) => url);
    expect(urls.length).toBeGreaterThanOrEqual(120);
    expect(new Set(urls).size).toBe(urls.length);
  });

  it('are refused, each by its own rule, and reach nothing', async () => {
    const policy = new AddressPolicy({ allowHttp: true, ports: [canary.port, 443] });
    const client = new SafeHttpClient({ policy, resolve: hostileResolver });
    const before = canary.touched();
    const table = hostileUrls(canary.port);
    const found = await Promise.all(
      table.map(async ({ url, reason }) => {
        const error = await caught(client.request(url, { method: 'POST', body: '{}' }));
        const held = error instanceof ForbiddenTargetError && error.reason.includes(reason);
        return held ? 'refused' : `${url} (${reason}): ${String(error)}`;
      }),
    );
    expect(found.filter((line) => line !== 'refused')).toEqual([]);
    expect(canary.touched()).toBe(before);
    await client.close();
  });

  it('are refused by what is known of the URL alone, but for names that an attacker answers for', () => {
    const policy = new AddressPolicy({ allowHttp: true, ports: [canary.port, 443] });
    const wrong = hostileUrls(canary.port).filter(({ url, known }) => {
      if (!URL.canParse(url)) return false;
      return passes(policy, new URL(url)) === known;
    });
    expect(wrong).toEqual([]);
  });

  it('are refused by the default policy too', () => {
    const policy = new AddressPolicy();
    const passing = hostileUrls(443)
      .filter(({ url, known }) => known && URL.canParse(url))
      .map(({ url }) => new URL(url.replace('http:', 'https:')))
      .filter((url) => passes(policy, url));
    expect(passing.map(({ href }) => href)).toEqual([]);
  });

  it.each(['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '127。0。0。1', 'inside.example'])(
    'would reach the canary if nothing was checked: %s',
    async (host) => {
      const client = new SafeHttpClient({ policy: NOTHING_CHECKED, resolve: hostileResolver });
      const before = canary.touched();
      const { status } = await client.request(`http://${host}:${canary.port}/`);
      expect(status).toBe(200);
      expect(canary.touched()).toBe(before + 1);
      await client.close();
    },
  );
});

function passes(policy: TargetPolicy, url: URL): boolean {
  try {
    policy.checkUrl(url);
    return true;
  } catch {
    return false;
  }
}
