import { isInRange, isV6, lowIpv4, parseRange, type IpAddress, type IpRange } from './ip-address.js';
import { GLOBAL_IPV6, IPV4_IN_IPV6, SPECIAL_IPV4, SPECIAL_IPV6, type SpecialRange } from './special-ranges.js';

interface NamedRange {
  readonly range: IpRange;
  readonly what: string;
}

const named = ({ cidr, what }: SpecialRange): NamedRange => ({ range: parseRange(cidr), what });

const IPV4 = SPECIAL_IPV4.map(named);
const IPV6 = SPECIAL_IPV6.map(named);
const GLOBAL = parseRange(GLOBAL_IPV6);
const EMBEDDING = IPV4_IN_IPV6.map(parseRange);

/** The IPv4 address that is reached by an IPv6 spelling of it; any other address as it is. */
export function reachedBy(address: IpAddress): IpAddress {
  return isV6(address) && EMBEDDING.some((range) => isInRange(address, range)) ? lowIpv4(address) : address;
}

/** What an address is, when it is not on the public internet. */
export function addressFault(address: IpAddress): string | undefined {
  const reached = reachedBy(address);
  if (!isV6(reached)) return IPV4.find(({ range }) => isInRange(reached, range))?.what;
  const special = IPV6.find(({ range }) => isInRange(reached, range));
  if (special) return special.what;
  if (!isInRange(reached, GLOBAL)) return 'not a global unicast address';
  // ISATAP hides an IPv4 address in the interface id, under any prefix.
  const inner = isIsatap(reached.toByteArray()) ? addressFault(lowIpv4(reached)) : undefined;
  return inner === undefined ? undefined : `${inner} in an ISATAP address`;
}

function isIsatap(bytes: readonly number[]): boolean {
  const [u, zero, x, y] = bytes.slice(8, 12);
  return (u === 0x00 || u === 0x02) && zero === 0x00 && x === 0x5e && y === 0xfe;
}
