import { isIP } from 'node:net';
import * as imported from 'ipaddr.js';

type IPv4 = imported.IPv4;
type IPv6 = imported.IPv6;
export type IpAddress = IPv4 | IPv6;

const ipaddr = classesOf(imported);

/** A range of addresses of one family. */
export type IpRange = readonly [IpAddress, number];

/**
 * Reads an address in one of its usual spellings. Shorthands that some resolvers understand (`127.1`, `0x7f000001`,
 * octal numbers) and zone ids are no addresses here: nobody agrees on what they mean.
 */
export function parseIp(text: string): IpAddress | undefined {
  const version = text.includes('%') ? 0 : isIP(text);
  if (version === 0) return undefined;
  // The package takes ::8.8.8.8 for ::ffff:8.8.8.8, another address; hexadecimal groups leave it no choice.
  return ipaddr.parse(version === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text);
}

/** @throws TypeError when it is not a range such as `10.0.0.0/8` or `fd00::/8` */
export function parseRange(text: string): IpRange {
  const [address = '', bits = '', ...rest] = text.split('/');
  const base = parseIp(address);
  const max = base?.kind() === 'ipv4' ? 32 : 128;
  if (!base || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > max) {
    throw new TypeError(`'${text}' is not a range of addresses: write it like 10.0.0.0/8 or fd00::/8`);
  }
  return [base, Number(bits)];
}

export function isInRange(address: IpAddress, [base, bits]: IpRange): boolean {
  // match() throws across families.
  return address.kind() === base.kind() && address.match(base, bits);
}

/** The IPv4 address in the last 32 bits. */
export function lowIpv4(address: IPv6): IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

/** One spelling for each address, a mapped one being the IPv4 address it is; undefined when it is none. */
export function canonicalIp(text: string | undefined): string | undefined {
  const address = text === undefined ? undefined : parseIp(text);
  if (!address) return undefined;
  return (isV6(address) && address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toNormalizedString();
}

export function isV6(address: IpAddress): address is IPv6 {
  return address.kind() === 'ipv6';
}

/** Which member of the import is the package depends on who loads it: ES module, CommonJS, or a bundler. */
function classesOf(loaded: unknown): Pick<typeof imported, 'parse' | 'IPv4'> {
  if (hasClasses(loaded)) return loaded;
  if (typeof loaded === 'object' && loaded !== null && 'default' in loaded) return classesOf(loaded.default);
  throw new TypeError('The package ipaddr.js does not export its classes');
}

function hasClasses(loaded: unknown): loaded is Pick<typeof imported, 'parse' | 'IPv4'> {
  return typeof loaded === 'object' && loaded !== null && 'parse' in loaded && 'IPv4' in loaded;
}
