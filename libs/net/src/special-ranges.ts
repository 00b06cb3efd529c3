/** A range of addresses that is not the public internet. */
export interface SpecialRange {
  readonly cidr: string;
  readonly what: string;
}

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
export const SPECIAL_IPV4: readonly SpecialRange[] = [
  // 0.0.0.0 reaches the own machine on Linux.
  { cidr: '0.0.0.0/8', what: 'unspecified address' },
  { cidr: '10.0.0.0/8', what: 'private address' },
  // Holds the metadata service of one cloud, 100.100.100.200.
  { cidr: '100.64.0.0/10', what: 'shared address space' },
  { cidr: '127.0.0.0/8', what: 'loopback address' },
  // Holds the metadata services of most clouds, 169.254.169.254 first of all.
  { cidr: '169.254.0.0/16', what: 'link-local address' },
  { cidr: '172.16.0.0/12', what: 'private address' },
  { cidr: '192.0.0.0/24', what: 'reserved address' },
  { cidr: '192.0.2.0/24', what: 'documentation address' },
  { cidr: '192.31.196.0/24', what: 'special-use address' },
  { cidr: '192.52.193.0/24', what: 'special-use address' },
  { cidr: '192.88.99.0/24', what: '6to4 relay address' },
  { cidr: '192.168.0.0/16', what: 'private address' },
  { cidr: '192.175.48.0/24', what: 'special-use address' },
  { cidr: '198.18.0.0/15', what: 'benchmarking address' },
  { cidr: '198.51.100.0/24', what: 'documentation address' },
  { cidr: '203.0.113.0/24', what: 'documentation address' },
  { cidr: '224.0.0.0/4', what: 'multicast address' },
  { cidr: '240.0.0.0/4', what: 'reserved address' },
  // A public range, yet answered by the host of every virtual machine of one cloud, and by it alone.
  { cidr: '168.63.129.16/32', what: 'cloud metadata address' },
];

/** Only what lies in here is the public internet of today; the rest of the address space is unassigned or special. */
export const GLOBAL_IPV6 = '2000::/3';

/** @see https://www.iana.org/assignments/iana-ipv6-special-registry */
export const SPECIAL_IPV6: readonly SpecialRange[] = [
  { cidr: '::/128', what: 'unspecified address' },
  { cidr: '::1/128', what: 'loopback address' },
  { cidr: '::/96', what: 'IPv4-compatible address' },
  { cidr: '64:ff9b:1::/48', what: 'local NAT64 address' },
  { cidr: '100::/64', what: 'discard address' },
  { cidr: '100:0:0:1::/64', what: 'dummy address' },
  { cidr: '2001::/32', what: 'Teredo address' },
  { cidr: '2001:2::/48', what: 'benchmarking address' },
  { cidr: '2001:10::/28', what: 'ORCHID address' },
  { cidr: '2001:20::/28', what: 'ORCHID address' },
  { cidr: '2001::/23', what: 'reserved address' },
  { cidr: '2001:db8::/32', what: 'documentation address' },
  { cidr: '2002::/16', what: '6to4 address' },
  { cidr: '2620:4f:8000::/48', what: 'special-use address' },
  { cidr: '3fff::/20', what: 'documentation address' },
  { cidr: '5f00::/16', what: 'segment routing address' },
  { cidr: 'fc00::/7', what: 'unique local address' },
  { cidr: 'fe80::/10', what: 'link-local address' },
  { cidr: 'fec0::/10', what: 'site-local address' },
  { cidr: 'ff00::/8', what: 'multicast address' },
];

/** IPv6 spellings of an IPv4 address, in the last 32 bits: what is reached is the IPv4 address. */
export const IPV4_IN_IPV6: readonly string[] = [
  // Mapped.
  '::ffff:0:0/96',
  // Translated (SIIT).
  '::ffff:0:0:0/96',
  // NAT64, well-known prefix.
  '64:ff9b::/96',
];
