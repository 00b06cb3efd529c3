import type { HostResolver } from 'nestjs-a2a/net';

/** A URL that nobody may be made to call. */
export interface HostileUrl {
  readonly url: string;
  /** Part of the reason it is refused for: proves that the rule meant is the one that holds. */
  readonly reason: string;
  /** Known without resolving a name. */
  readonly known: boolean;
}

const LITERALS: Readonly<Record<string, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '0x7f.1',
    '0177.0.0.1',
    '0177.1',
    '017700000001',
    '00000177.0.0.1',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '①②⑦.⓪.⓪.①',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2607:f8b0::5efe:127.0.0.1]',
    '[2607:f8b0::200:5efe:7f00:1]',
  ],
  unspecified: ['0', '0.0.0.0', '0x0', '00.0', '0.0.0.1', '0.255.255.255', '[::]', '[::ffff:0.0.0.0]'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '0xa000001',
    '167772161',
    '012.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.1',
    '3232235521',
    '[::ffff:10.0.0.1]',
    '[::ffff:c0a8:1]',
    '[64:ff9b::10.0.0.1]',
    '[2607:f8b0::200:5efe:10.0.0.1]',
  ],
  shared: ['100.64.0.1', '100.100.100.200', '[::ffff:100.100.100.200]'],
  'link-local': [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '169.254.170.2',
    '169.254.170.23',
    '169.254.169.253',
    '169.254.0.23',
    '[::ffff:169.254.169.254]',
    '[::ffff:0:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[fe80::1]',
    '[fe80::5efe:127.0.0.1]',
    '[febf::1]',
  ],
  'cloud metadata': ['168.63.129.16', '2822734096', '[::ffff:168.63.129.16]'],
  reserved: ['192.0.0.192', '192.0.0.170', '240.0.0.1', '255.255.255.255', '[2001:1::1]', '[2001:4:112::1]'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '[2001:2::1]'],
  '6to4': ['192.88.99.1', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2002:808:808::1]'],
  'special-use': ['192.31.196.1', '192.52.193.1', '192.175.48.1', '[2620:4f:8000::1]'],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff05::1:3]'],
  'IPv4-compatible': ['[::127.0.0.1]', '[::7f00:1]', '[::2]', '[::8.8.8.8]'],
  NAT64: ['[64:ff9b:1::1]', '[64:ff9b:1:ffff::127.0.0.1]'],
  Teredo: ['[2001::1]', '[2001:0:7f00:1::]', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  'unique local': ['[fc00::1]', '[fd00:ec2::254]', '[fd20:ce::254]', '[fd12:3456:789a::1]'],
  'site-local': ['[fec0::1]'],
  ORCHID: ['[2001:10::1]', '[2001:20::1]'],
  discard: ['[100::1]'],
  dummy: ['[100:0:0:1::1]'],
  'segment routing': ['[5f00::1]'],
  'not a global unicast address': ['[1::1]', '[200::1]', '[4000::1]', '[8000::1]', '[e000::1]'],
};

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'local network': [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'loc%61lhost',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'agent.localhost',
    'localhost.localdomain',
    'printer.local',
    'db.internal',
    'metadata.google.internal',
    'METADATA.google.internal.',
    'metadata.goog',
    'instance-data.ec2.internal',
    'router.home.arpa',
    'box.lan',
    'wiki.intranet',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
  ],
  'without a domain': ['metadata', 'instance-data', 'kubernetes', 'redis', 'intern', 'bücher'],
  'empty label': ['a..example.com', 'example.com..', '.example.com', '127.0.0.1..'],
};

/** Names as an attacker's DNS answers for them. */
const RESOLVED: Readonly<Record<string, readonly [reason: string, ...addresses: string[]]>> = {
  'inside.example': ['loopback', '127.0.0.1'],
  'inside.example.': ['loopback', '127.0.0.1'],
  '127.0.0.1.names.example': ['loopback', '127.0.0.1'],
  '7f000001.names.example': ['loopback', '127.0.0.1'],
  'bücher.example': ['loopback', '127.0.0.1'],
  'inside6.example': ['loopback', '::1'],
  'mapped.example': ['loopback', '::ffff:127.0.0.1'],
  'translated.example': ['loopback', '::ffff:0:127.0.0.1'],
  'nat64.example': ['loopback', '64:ff9b::7f00:1'],
  'isatap.example': ['loopback', '2607:f8b0::5efe:7f00:1'],
  'compatible.example': ['IPv4-compatible', '::127.0.0.1'],
  'compatible-public.example': ['IPv4-compatible', '::8.8.8.8'],
  'last-of-two.example': ['loopback', '8.8.8.8', '127.0.0.1'],
  'first-of-two.example': ['loopback', '127.0.0.1', '8.8.8.8'],
  'second-family.example': ['loopback', '8.8.8.8', '::1'],
  'ninth.example': ['loopback', ...Array.from({ length: 8 }, (_, at) => `8.8.8.${at}`), '127.0.0.1'],
  'zero.example': ['unspecified', '0.0.0.0'],
  'zero6.example': ['unspecified', '::'],
  'metadata.example': ['link-local', '169.254.169.254'],
  'wire.example': ['cloud metadata', '168.63.129.16'],
  'office.example': ['private', '192.168.1.1'],
  'unique.example': ['unique local', 'fd00:ec2::254'],
  'octal.example': ['not an IP address', '0177.0.0.1'],
  'decimal.example': ['not an IP address', '2130706433'],
  'zone.example': ['not an IP address', '::1%lo'],
  'alias.example': ['not an IP address', 'localhost'],
};

/** Not one of them is for the policy of a public agent, wherever it points; `PORT` is the canary's. */
const SHAPES: readonly (readonly [reason: string, url: string])[] = [
  ['not an absolute URL', ''],
  ['not an absolute URL', '/hook'],
  ['not an absolute URL', '//127.0.0.1:PORT/'],
  ['not an absolute URL', 'http://'],
  ['not an absolute URL', 'http://[fe80::1%25lo]:PORT/'],
  ['not an absolute URL', 'http://[::1]x:PORT/'],
  ['not an absolute URL', 'http://127.0.0.1:99999/'],
  ['not an absolute URL', 'http://256.0.0.1:PORT/'],
  ['not an absolute URL', 'http://127.0.0.1.5:PORT/'],
  ['not an absolute URL', 'http://exa mple.com/'],
  ['not an absolute URL', 'http://%00/'],
  ['not http', 'localhost:PORT'],
  ['not http', 'ftp://127.0.0.1:PORT/'],
  ['not http', 'ws://127.0.0.1:PORT/'],
  ['not http', 'gopher://127.0.0.1:PORT/_x'],
  ['not http', 'file:///etc/passwd'],
  ['not http', 'data:text/plain,x'],
  ['not http', 'javascript:alert(1)'],
  ['not http', 'unix:/var/run/docker.sock'],
  ['not http', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/'],
  ['not http', 'blob:http://127.0.0.1:PORT/x'],
  ['loopback', 'http:127.0.0.1:PORT/'],
  ['loopback', 'http:/127.0.0.1:PORT/'],
  ['loopback', 'http:////127.0.0.1:PORT/'],
  ['loopback', 'http:\\\\127.0.0.1:PORT\\'],
  ['loopback', ' \thttp://127.0.0.1:PORT/ '],
  ['loopback', 'ht\ntp://127.0.\n0.1:PORT/'],
  ['loopback', 'HTTP://127.0.0.1:PORT/'],
  ['loopback', 'http://127.0.0.1:PORT\\@public.example/'],
  ['loopback', 'http://127.0.0.1:PORT?@public.example/'],
  ['user name', 'http://public.example@127.0.0.1:PORT/'],
  ['user name', 'http://127.0.0.1@public.example:PORT/'],
  ['user name', 'http://user:secret@public.example:PORT/'],
  ['user name', 'http://:secret@public.example:PORT/'],
  ['user name', 'http://public.example:PORT@127.0.0.1:PORT/'],
  ['fragment', 'http://127.0.0.1:PORT#@public.example/'],
  ['fragment', 'http://public.example:PORT/#'],
  ['fragment', 'http://public.example:PORT/hook#part'],
  ['port 0', 'http://public.example:0/'],
  ['port 22', 'http://public.example:22/'],
  ['port 6379', 'http://public.example:6379/'],
  ['port 25', 'https://public.example:25/'],
];

/** Every hostile URL; those with a port lead to the canary's, so that no rule about ports hides a missing one. */
export function hostileUrls(port: number): readonly HostileUrl[] {
  const withHosts = (table: Readonly<Record<string, readonly string[]>>): HostileUrl[] =>
    Object.entries(table).flatMap(([reason, hosts]) =>
      hosts.map((host) => ({ url: `http://${host}:${port}/hook`, reason, known: true })),
    );
  const resolved = Object.entries(RESOLVED).map(([host, [reason]]) => ({
    url: `http://${host}:${port}/hook`,
    reason,
    known: false,
  }));
  const shapes = SHAPES.map(([reason, url]) => ({ url: url.replaceAll('PORT', String(port)), reason, known: true }));
  return [...withHosts(LITERALS), ...withHosts(NAMES), ...resolved, ...shapes];
}

/** The attacker's DNS. Names that it does not know lead to the canary as well. */
export const hostileResolver: HostResolver = async (host) => {
  const [, ...addresses] = ANSWERS.get(host) ?? ['', '127.0.0.1'];
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const ANSWERS = new Map(
  Object.entries(RESOLVED).map(([name, answer]) => [new URL(`http://${name}/`).hostname, answer]),
);
