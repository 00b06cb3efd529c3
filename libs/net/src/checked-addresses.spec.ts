import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address.policy.js';
import { CheckedAddresses } from './checked-addresses.js';
import type { TargetPolicy } from './target-policy.js';

const open: TargetPolicy = { checkUrl: () => undefined, checkAddress: () => undefined };
const url = new URL('https://hooks.example/');
const v4 = (address: string): { address: string; family: 4 } => ({ address, family: 4 });

describe('CheckedAddresses', () => {
  it('keeps the order of the resolver, and eight addresses at most', async () => {
    const answer = Array.from({ length: 12 }, (_, index) => v4(`8.8.8.${20 - index}`));
    const addresses = new CheckedAddresses(open, async () => answer);
    expect(await addresses.of(url)).toEqual(answer.slice(0, 8));
  });

  it('uses what it has checked, and knows the family better than the resolver', async () => {
    let read = 0;
    const shifty = {
      get address() {
        return (read += 1) === 1 ? '8.8.8.8' : '127.0.0.1';
      },
      family: 6 as const,
    };
    const addresses = new CheckedAddresses(new AddressPolicy(), async () => [shifty]);
    expect(await addresses.of(url)).toEqual([v4('8.8.8.8')]);
  });

  it('checks those as well that it will not use', async () => {
    const answer = [...Array.from({ length: 12 }, (_, index) => v4(`8.8.8.${index}`)), v4('10.0.0.1')];
    const addresses = new CheckedAddresses(new AddressPolicy(), async () => answer);
    await expect(addresses.of(url)).rejects.toMatchObject({ reason: 'private address' });
  });

  it.each(['localhost', '127.1', 'fe80::1%lo', ''])(
    'takes no other text for an address, whatever the policy: %j',
    async (text) => {
      const addresses = new CheckedAddresses(open, async () => [v4(text)]);
      await expect(addresses.of(url)).rejects.toMatchObject({ reason: 'not an IP address' });
    },
  );

  it.each(['8.8.8.8', null, undefined, {}, [null]])('takes no garbage of a resolver: %j', async (answer) => {
    const addresses = new CheckedAddresses(open, async () => JSON.parse(JSON.stringify({ answer })).answer);
    await expect(addresses.of(url)).rejects.toMatchObject({ code: 'DNS_FAILED' });
  });

  it.each([
    ['https://8.8.8.8/', '8.8.8.8', 4],
    ['https://0x08080808/', '8.8.8.8', 4],
    ['https://[2606:4700:0::1111]/', '2606:4700::1111', 6],
  ])('does not ask for an address that is in the URL: %s', async (text, address, family) => {
    const addresses = new CheckedAddresses(open, async () => Promise.reject(new Error('asked')));
    expect(await addresses.of(new URL(text))).toEqual([{ address, family }]);
  });

  it('asks once for all who wait, and again for those who come later', async () => {
    let asked = 0;
    const addresses = new CheckedAddresses(open, async () => [v4(`8.8.8.${(asked += 1)}`)]);
    const together = await Promise.all([addresses.of(url), addresses.of(url)]);
    expect([...together, await addresses.of(url)]).toEqual([[v4('8.8.8.1')], [v4('8.8.8.1')], [v4('8.8.8.2')]]);
  });

  it('resolves by the system when nothing else is said', async () => {
    const found = await new CheckedAddresses(open).of(new URL('https://localhost/'));
    expect(found.map(({ address }) => address).join()).toMatch(/127\.0\.0\.1|::1/);
  });
});
