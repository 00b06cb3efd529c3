import { describe, expect, it } from '@jest/globals';
import { addressFault } from './address-faults.js';
import { parseIp } from './ip-address.js';
import { SPECIAL_IPV4, SPECIAL_IPV6 } from './special-ranges.js';

/** `-` for an address of the public internet. */
type Expected = readonly [address: string, what: string];

const faultOf = (text: string): string => {
  const address = parseIp(text);
  if (!address) throw new Error(`${text} is not an address`);
  return addressFault(address) ?? '-';
};

/** Range, what is before it, its first, its last, what is after it: written by hand, not taken from the table. */
const IPV4: readonly (readonly [cidr: string, ...edges: Expected[]])[] = [
  ['0.0.0.0/8', ['0.0.0.0', 'unspecified'], ['0.255.255.255', 'unspecified'], ['1.0.0.0', '-']],
  ['10.0.0.0/8', ['9.255.255.255', '-'], ['10.0.0.0', 'private'], ['10.255.255.255', 'private'], ['11.0.0.0', '-']],
  [
    '100.64.0.0/10',
    ['100.63.255.255', '-'],
    ['100.64.0.0', 'shared'],
    ['100.127.255.255', 'shared'],
    ['100.128.0.0', '-'],
  ],
  [
    '127.0.0.0/8',
    ['126.255.255.255', '-'],
    ['127.0.0.0', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['128.0.0.0', '-'],
  ],
  [
    '169.254.0.0/16',
    ['169.253.255.255', '-'],
    ['169.254.0.0', 'link-local'],
    ['169.254.255.255', 'link-local'],
    ['169.255.0.0', '-'],
  ],
  [
    '172.16.0.0/12',
    ['172.15.255.255', '-'],
    ['172.16.0.0', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.0', '-'],
  ],
  [
    '192.0.0.0/24',
    ['191.255.255.255', '-'],
    ['192.0.0.0', 'reserved'],
    ['192.0.0.255', 'reserved'],
    ['192.0.1.0', '-'],
  ],
  [
    '192.0.2.0/24',
    ['192.0.1.255', '-'],
    ['192.0.2.0', 'documentation'],
    ['192.0.2.255', 'documentation'],
    ['192.0.3.0', '-'],
  ],
  [
    '192.31.196.0/24',
    ['192.31.195.255', '-'],
    ['192.31.196.0', 'special-use'],
    ['192.31.196.255', 'special-use'],
    ['192.31.197.0', '-'],
  ],
  [
    '192.52.193.0/24',
    ['192.52.192.255', '-'],
    ['192.52.193.0', 'special-use'],
    ['192.52.193.255', 'special-use'],
    ['192.52.194.0', '-'],
  ],
  ['192.88.99.0/24', ['192.88.98.255', '-'], ['192.88.99.0', '6to4'], ['192.88.99.255', '6to4'], ['192.88.100.0', '-']],
  [
    '192.168.0.0/16',
    ['192.167.255.255', '-'],
    ['192.168.0.0', 'private'],
    ['192.168.255.255', 'private'],
    ['192.169.0.0', '-'],
  ],
  [
    '192.175.48.0/24',
    ['192.175.47.255', '-'],
    ['192.175.48.0', 'special-use'],
    ['192.175.48.255', 'special-use'],
    ['192.175.49.0', '-'],
  ],
  [
    '198.18.0.0/15',
    ['198.17.255.255', '-'],
    ['198.18.0.0', 'benchmarking'],
    ['198.19.255.255', 'benchmarking'],
    ['198.20.0.0', '-'],
  ],
  [
    '198.51.100.0/24',
    ['198.51.99.255', '-'],
    ['198.51.100.0', 'documentation'],
    ['198.51.100.255', 'documentation'],
    ['198.51.101.0', '-'],
  ],
  [
    '203.0.113.0/24',
    ['203.0.112.255', '-'],
    ['203.0.113.0', 'documentation'],
    ['203.0.113.255', 'documentation'],
    ['203.0.114.0', '-'],
  ],
  [
    '224.0.0.0/4',
    ['223.255.255.255', '-'],
    ['224.0.0.0', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['240.0.0.0', 'reserved'],
  ],
  ['240.0.0.0/4', ['240.0.0.0', 'reserved'], ['255.255.255.255', 'reserved']],
  ['168.63.129.16/32', ['168.63.129.15', '-'], ['168.63.129.16', 'cloud metadata'], ['168.63.129.17', '-']],
];

const ONES = 'ffff:ffff:ffff:ffff';
const IPV6: readonly (readonly [cidr: string, ...edges: Expected[]])[] = [
  ['::/128', ['::', 'unspecified'], ['::1', 'loopback']],
  ['::1/128', ['::1', 'loopback'], ['::2', 'IPv4-compatible']],
  ['::/96', ['::2', 'IPv4-compatible'], ['::ffff:ffff', 'IPv4-compatible'], ['::1:0:0', 'not a global']],
  [
    '64:ff9b:1::/48',
    ['64:ff9b:0:ffff::', 'not a global'],
    ['64:ff9b:1::', 'local NAT64'],
    [`64:ff9b:1:ffff:${ONES}`, 'local NAT64'],
    ['64:ff9b:2::', 'not a global'],
  ],
  ['100::/64', [`ff:ffff:ffff:ffff:${ONES}`, 'not a global'], ['100::', 'discard'], [`100::${ONES}`, 'discard']],
  ['100:0:0:1::/64', ['100:0:0:1::', 'dummy'], [`100:0:0:1:${ONES}`, 'dummy'], ['100:0:0:2::', 'not a global']],
  [
    '2001::/32',
    [`2000:ffff:ffff:ffff:${ONES}`, '-'],
    ['2001::', 'Teredo'],
    [`2001:0:ffff:ffff:${ONES}`, 'Teredo'],
    ['2001:1::', 'reserved'],
  ],
  [
    '2001:2::/48',
    [`2001:1:ffff:ffff:${ONES}`, 'reserved'],
    ['2001:2::', 'benchmarking'],
    [`2001:2:0:ffff:${ONES}`, 'benchmarking'],
    ['2001:2:1::', 'reserved'],
  ],
  [
    '2001:10::/28',
    [`2001:f:ffff:ffff:${ONES}`, 'reserved'],
    ['2001:10::', 'ORCHID'],
    [`2001:1f:ffff:ffff:${ONES}`, 'ORCHID'],
    ['2001:20::', 'ORCHID'],
  ],
  ['2001:20::/28', ['2001:20::', 'ORCHID'], [`2001:2f:ffff:ffff:${ONES}`, 'ORCHID'], ['2001:30::', 'reserved']],
  ['2001::/23', ['2001:30::', 'reserved'], [`2001:1ff:ffff:ffff:${ONES}`, 'reserved'], ['2001:200::', '-']],
  [
    '2001:db8::/32',
    [`2001:db7:ffff:ffff:${ONES}`, '-'],
    ['2001:db8::', 'documentation'],
    [`2001:db8:ffff:ffff:${ONES}`, 'documentation'],
    ['2001:db9::', '-'],
  ],
  [
    '2002::/16',
    [`2001:ffff:ffff:ffff:${ONES}`, '-'],
    ['2002::', '6to4'],
    [`2002:ffff:ffff:ffff:${ONES}`, '6to4'],
    ['2003::', '-'],
  ],
  [
    '2620:4f:8000::/48',
    [`2620:4f:7fff:ffff:${ONES}`, '-'],
    ['2620:4f:8000::', 'special-use'],
    [`2620:4f:8000:ffff:${ONES}`, 'special-use'],
    ['2620:4f:8001::', '-'],
  ],
  [
    '3fff::/20',
    [`3ffe:ffff:ffff:ffff:${ONES}`, '-'],
    ['3fff::', 'documentation'],
    [`3fff:fff:ffff:ffff:${ONES}`, 'documentation'],
    ['3fff:1000::', '-'],
  ],
  [
    '5f00::/16',
    [`5eff:ffff:ffff:ffff:${ONES}`, 'not a global'],
    ['5f00::', 'segment routing'],
    [`5f00:ffff:ffff:ffff:${ONES}`, 'segment routing'],
    ['5f01::', 'not a global'],
  ],
  [
    'fc00::/7',
    [`fbff:ffff:ffff:ffff:${ONES}`, 'not a global'],
    ['fc00::', 'unique local'],
    [`fdff:ffff:ffff:ffff:${ONES}`, 'unique local'],
    ['fe00::', 'not a global'],
  ],
  [
    'fe80::/10',
    [`fe7f:ffff:ffff:ffff:${ONES}`, 'not a global'],
    ['fe80::', 'link-local'],
    [`febf:ffff:ffff:ffff:${ONES}`, 'link-local'],
    ['fec0::', 'site-local'],
  ],
  ['fec0::/10', ['fec0::', 'site-local'], [`feff:ffff:ffff:ffff:${ONES}`, 'site-local'], ['ff00::', 'multicast']],
  ['ff00::/8', ['ff00::', 'multicast'], [`ffff:ffff:ffff:ffff:${ONES}`, 'multicast']],
  ['2000::/3', [`1fff:ffff:ffff:ffff:${ONES}`, 'not a global'], ['2000::', '-'], ['4000::', 'not a global']],
];

/** How IPv4 hides in IPv6; each prefix with its neighbours. */
const EMBEDDED: readonly (readonly [name: string, ...edges: Expected[]])[] = [
  [
    'mapped',
    ['::fffe:ffff:ffff', 'not a global'],
    ['::ffff:0.0.0.0', 'unspecified'],
    ['::ffff:8.8.8.8', '-'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:9.255.255.255', '-'],
    ['::ffff:a00:0', 'private'],
    ['::ffff:169.254.169.254', 'link-local'],
    ['::ffff:168.63.129.16', 'cloud metadata'],
    ['::ffff:255.255.255.255', 'reserved'],
    ['::1:0:0:0', 'not a global'],
  ],
  [
    'translated',
    ['::fffe:ffff:ffff:ffff', 'not a global'],
    ['::ffff:0:8.8.8.8', '-'],
    ['::ffff:0:7f00:1', 'loopback'],
    ['::ffff:0:192.168.0.1', 'private'],
    ['::ffff:1:127.0.0.1', 'not a global'],
  ],
  [
    'NAT64',
    ['64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff', 'not a global'],
    ['64:ff9b::8.8.8.8', '-'],
    ['64:ff9b::10.0.0.1', 'private'],
    ['64:ff9b::a9fe:a9fe', 'link-local'],
    ['64:ff9b::1:0:0', 'not a global'],
    ['64:ff9b:1::8.8.8.8', 'local NAT64'],
  ],
  [
    'compatible',
    ['::8.8.8.8', 'IPv4-compatible'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['::808:808', 'IPv4-compatible'],
  ],
  ['6to4', ['2002:808:808::1', '6to4'], ['2002:7f00:1::1', '6to4']],
  ['Teredo', ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'], ['2001:0:7f00:1::', 'Teredo']],
  [
    'ISATAP',
    ['2607:f8b0::5efe:8.8.8.8', '-'],
    ['2607:f8b0::5efe:127.0.0.1', 'loopback address in an ISATAP'],
    ['2607:f8b0::200:5efe:10.0.0.1', 'private address in an ISATAP'],
    ['2607:f8b0::200:5efe:a9fe:a9fe', 'link-local address in an ISATAP'],
    ['2607:f8b0::100:5efe:127.0.0.1', '-'],
    ['2607:f8b0::5eff:127.0.0.1', '-'],
    ['fe80::5efe:8.8.8.8', 'link-local'],
  ],
];

describe('addressFault', () => {
  describe.each([...IPV4, ...IPV6])('%s', (_cidr, ...edges) => {
    it.each(edges)('%s: %s', (address, what) => expectFault(address, what));
  });

  describe.each(EMBEDDED)('IPv4 in IPv6, %s', (_name, ...edges) => {
    it.each(edges)('%s: %s', (address, what) => expectFault(address, what));
  });

  it('has an edge test for every range of its table', () => {
    const tested = new Set([...IPV4, ...IPV6].map(([cidr]) => cidr));
    expect([...SPECIAL_IPV4, ...SPECIAL_IPV6].filter(({ cidr }) => !tested.has(cidr))).toEqual([]);
  });

  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888'])(
    'lets the public internet through: %s',
    (address) => expect(faultOf(address)).toBe('-'),
  );
});

function expectFault(address: string, what: string): void {
  if (what === '-') expect(faultOf(address)).toBe('-');
  else expect(faultOf(address)).toContain(what);
}
