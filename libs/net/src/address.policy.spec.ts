import { describe, expect, it } from '@jest/globals';
import { AddressPolicy, type AddressPolicyOptions } from './address.policy.js';
import { ForbiddenTargetError } from './errors.js';
import type { TargetPolicy } from './target-policy.js';

const ALLOWED = 'allowed';

/** The reason a URL, and then each address of its host, is refused for. */
function verdict(policy: TargetPolicy, text: string, ...addresses: string[]): string {
  const url = new URL(text);
  try {
    policy.checkUrl(url);
    for (const address of addresses) policy.checkAddress(address, url);
    return ALLOWED;
  } catch (error) {
    if (error instanceof ForbiddenTargetError && error.code === 'FORBIDDEN_TARGET') return error.reason;
    throw error;
  }
}

const PUBLIC = '93.184.216.34';
type Row = readonly [url: string, answers: readonly string[], expected: string];

const GROUPS: readonly (readonly [name: string, options: AddressPolicyOptions, rows: readonly Row[]])[] = [
  [
    'by default',
    {},
    [
      ['https://hooks.example.com/a?b=c', [PUBLIC, '2606:4700::1111'], ALLOWED],
      ['https://hooks.example.com./', [PUBLIC], ALLOWED],
      ['https://HOOKS.example.com:8443/', [PUBLIC], ALLOWED],
      ['https://bücher.example.com/', [PUBLIC], ALLOWED],
      ['https://8.8.8.8/', ['8.8.8.8'], ALLOWED],
      ['https://[2606:4700::1111]/', ['2606:4700::1111'], ALLOWED],
      ['https://[::ffff:8.8.8.8]/', ['::ffff:8.8.8.8'], ALLOWED],
      ['http://hooks.example.com/', [], 'not https'],
      ['https://hooks.example.com:80/', [], 'port 80'],
      ['https://8.8.8.8:8080/', [], 'port 8080'],
      ['https://hooks.example.com/', [PUBLIC, '10.0.0.1'], 'private address'],
      ['https://hooks.example.com/', ['::1'], 'loopback address'],
      ['https://notlocalhost.example.com/', [PUBLIC], ALLOWED],
      ['https://localhost.example.com/', [PUBLIC], ALLOWED],
      ['https://svc.example.com/', [PUBLIC], ALLOWED],
    ],
  ],
  [
    'with http',
    { allowHttp: true },
    [
      ['http://hooks.example.com/', [PUBLIC], ALLOWED],
      ['https://hooks.example.com/', [PUBLIC], ALLOWED],
      ['http://hooks.example.com:8080/', [], 'port 8080'],
      ['ftp://hooks.example.com/', [], 'not http or https'],
    ],
  ],
  [
    'with ports',
    { ports: [9443] },
    [
      ['https://hooks.example.com:9443/', [PUBLIC], ALLOWED],
      ['https://hooks.example.com/', [], 'port 443'],
    ],
  ],
  [
    'with hosts',
    { hosts: ['hook.internal', '*.Mesh.local', 'bücher.example', '10.0.0.7', '[fd00::7]', 'fd00::8'] },
    [
      ['https://hook.internal:9000/', ['10.0.0.1', '127.0.0.1'], ALLOWED],
      ['https://HOOK.internal./', ['10.0.0.1'], ALLOWED],
      ['https://a.mesh.local/', ['10.0.0.1'], ALLOWED],
      ['https://a.b.mesh.local/', ['10.0.0.1'], ALLOWED],
      ['https://mesh.local/', [], 'host name of the local network'],
      ['https://evilmesh.local/', [], 'host name of the local network'],
      ['https://hook.internal.example.com/', ['10.0.0.1'], 'private address'],
      ['https://xn--bcher-kva.example/', ['10.0.0.1'], ALLOWED],
      ['https://10.0.0.7:1234/', ['10.0.0.7'], ALLOWED],
      ['https://0x0a000007/', ['10.0.0.7'], ALLOWED],
      ['https://10.0.0.8/', [], 'private address'],
      ['https://[fd00:0::7]/', ['fd00::7'], ALLOWED],
      ['https://[fd00::8]/', ['fd00::8'], ALLOWED],
      ['https://hooks.example.com/', [PUBLIC], ALLOWED],
      ['http://hook.internal/', [], 'not https'],
      ['https://user:secret@hook.internal/', [], 'user name or password in the URL'],
      ['https://hook.internal/#', [], 'fragment in the URL'],
      ['https://hook.internal:0/', [], 'port 0'],
      ['https://hook.internal/', ['localhost'], 'not an IP address'],
    ],
  ],
  [
    'with ranges',
    { cidrs: ['10.1.0.0/16', 'fd00:1::/32', '127.0.0.2/32'], allowHttp: true },
    [
      ['http://10.1.2.3:8080/', ['10.1.2.3'], ALLOWED],
      ['http://[::ffff:10.1.2.3]:8080/', ['::ffff:10.1.2.3'], ALLOWED],
      ['http://[fd00:1::5]/', ['fd00:1::5'], ALLOWED],
      ['http://receiver:8080/', ['10.1.255.255'], ALLOWED],
      ['http://hook.internal:8080/', ['10.1.0.0', 'fd00:1::1'], ALLOWED],
      ['http://10.2.0.0/', [], 'private address'],
      ['http://10.0.255.255/', [], 'private address'],
      ['http://[fd00:2::]/', [], 'unique local address'],
      ['http://receiver:8080/', ['10.1.0.1', '10.2.0.1'], 'private address'],
      ['http://localhost/', ['127.0.0.2'], ALLOWED],
      ['http://localhost/', ['127.0.0.1'], 'loopback address'],
      ['http://metadata/', ['169.254.169.254'], 'link-local address'],
      // The name is known to be none of ours only now: it is not in a range, so the usual rules hold.
      ['http://printer.local/', [PUBLIC], 'host name of the local network'],
      ['http://hooks.example.com:8080/', [PUBLIC], 'port 8080'],
      ['http://hooks.example.com/', [PUBLIC], ALLOWED],
      ['http://10.1.2.3:0/', [], 'port 0'],
    ],
  ],
  [
    'with nothing but what is listed',
    { onlyListed: true, hosts: ['hooks.example.com'] },
    [
      ['https://hooks.example.com:1234/', [PUBLIC], ALLOWED],
      ['https://other.example.com/', [], 'not on the list of allowed hosts and ranges'],
      ['https://8.8.8.8/', [], 'not on the list of allowed hosts and ranges'],
    ],
  ],
  [
    'with nothing but listed ranges',
    { onlyListed: true, cidrs: ['203.0.113.0/24'] },
    [
      ['https://any.example.com:1234/', ['203.0.113.9'], ALLOWED],
      ['https://any.example.com/', [PUBLIC], 'not on the list of allowed hosts and ranges'],
      ['https://8.8.8.8/', [], 'not on the list of allowed hosts and ranges'],
    ],
  ],
];

describe('AddressPolicy', () => {
  describe.each(GROUPS)('%s', (_name, options, rows) => {
    it.each(rows)('%s at %j: %s', (url, answers, expected) => {
      expect(verdict(new AddressPolicy(options), url, ...answers)).toBe(expected);
    });
  });

  it.each(['0177.0.0.1', '127.1', '0x7f000001', '2130706433', '8.8.8.8%1', '2606:4700::1111%eth0', '', 'localhost'])(
    'takes nothing but an address for an address: %j',
    (address) => {
      expect(verdict(new AddressPolicy(), 'https://hooks.example.com/', address)).toBe('not an IP address');
    },
  );

  it('says nothing of the URL in its errors', () => {
    const check = (): void => new AddressPolicy().checkUrl(new URL('https://user:s3cret@10.0.0.1/t0ken'));
    expect(check).toThrow(new ForbiddenTargetError('user name or password in the URL'));
    expect(check).not.toThrow(/s3cret|t0ken|10\.0/);
  });

  it.each<readonly [options: AddressPolicyOptions, message: RegExp]>([
    [{ hosts: ['https://hooks.example.com'] }, /is not a host/],
    [{ hosts: ['hooks.example.com:443'] }, /is not a host/],
    [{ hosts: ['hooks.example.com/path'] }, /is not a host/],
    [{ hosts: ['user@hooks.example.com'] }, /is not a host/],
    [{ hosts: ['*'] }, /is not a host/],
    [{ hosts: ['*.'] }, /is not a host/],
    [{ hosts: ['*.*.example.com'] }, /is not a host/],
    [{ hosts: ['a*.example.com'] }, /is not a host/],
    [{ hosts: ['*.10.0.0.1'] }, /is not a host/],
    [{ hosts: [''] }, /is not a host/],
    [{ hosts: ['.'] }, /is not a host/],
    [{ cidrs: ['10.0.0.0'] }, /is not a range/],
    [{ cidrs: ['10.0.0.0/33'] }, /is not a range/],
    [{ cidrs: ['10.0.0/8'] }, /is not a range/],
    [{ cidrs: ['fd00::/129'] }, /is not a range/],
    [{ cidrs: ['fd00::/-1'] }, /is not a range/],
    [{ cidrs: ['10.0.0.0/8/8'] }, /is not a range/],
    [{ cidrs: ['example.com/8'] }, /is not a range/],
    [{ ports: [0] }, /is not a port/],
    [{ ports: [65536] }, /is not a port/],
    [{ ports: [1.5] }, /is not a port/],
  ])('names what is wrong in its options: %j', (options, message) => {
    expect(() => new AddressPolicy(options)).toThrow(message);
  });
});
