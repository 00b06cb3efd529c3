import { addressFault, reachedBy } from './address-faults.js';
import { ForbiddenTargetError } from './errors.js';
import { HostList } from './host-list.js';
import { hostOf, nameFault } from './host-names.js';
import { isInRange, parseIp, parseRange, type IpRange } from './ip-address.js';
import type { TargetPolicy } from './target-policy.js';

/**
 * What {@link AddressPolicy} allows besides public HTTPS.
 *
 * @publicApi
 */
export interface AddressPolicyOptions {
  /** Exact names, or `*.suffix` for every name below it; trusted wherever they resolve, on any port. */
  hosts?: readonly string[];
  /** Ranges that are allowed besides the public ones, on any port and by any name, e.g. `10.1.0.0/16`. */
  cidrs?: readonly string[];
  /** `http:` as well. Default: false. */
  allowHttp?: boolean;
  /** Default: 443 and 8443, with `allowHttp` also 80. Listed hosts and ranges: any. Port 0 never. */
  ports?: readonly number[];
  /** Nothing but `hosts` and `cidrs`. Default: false. */
  onlyListed?: boolean;
}

/**
 * Lets nothing through but the public internet, by HTTPS, and what is listed.
 *
 * @throws TypeError in the constructor, when a host, a range or a port is none
 */
export class AddressPolicy implements TargetPolicy {
  private readonly hosts: HostList;
  private readonly ranges: readonly IpRange[];
  private readonly ports: ReadonlySet<number>;
  private readonly schemes: ReadonlySet<string>;
  private readonly onlyListed: boolean;

  constructor(options: AddressPolicyOptions = {}) {
    const { hosts = [], cidrs = [], allowHttp = false, onlyListed = false } = options;
    const ports = options.ports ?? (allowHttp ? [443, 8443, 80] : [443, 8443]);
    const wrong = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65535);
    if (wrong !== undefined) throw new TypeError(`${wrong} is not a port: write a number from 1 to 65535`);
    this.hosts = new HostList(hosts);
    this.ranges = cidrs.map(parseRange);
    this.ports = new Set(ports);
    this.schemes = new Set(allowHttp ? ['https:', 'http:'] : ['https:']);
    this.onlyListed = onlyListed;
  }

  checkUrl(url: URL): void {
    if (!this.schemes.has(url.protocol)) refuse(this.schemes.size > 1 ? 'not http or https' : 'not https');
    if (url.username !== '' || url.password !== '') refuse('user name or password in the URL');
    // An empty fragment does not show in `hash`.
    if (url.href.includes('#')) refuse('fragment in the URL');
    if (portOf(url) === 0) refuse('port 0');
    const host = hostOf(url);
    if (this.hosts.has(host)) return;
    if (parseIp(host)) return this.checkAddress(host, url);
    // Any name may stand for an address in a listed range: that is known once it is resolved.
    if (this.ranges.length === 0) this.checkUnlisted(url);
  }

  checkAddress(address: string, url: URL): void {
    const ip = parseIp(address);
    if (!ip) return refuse('not an IP address');
    if (this.hosts.has(hostOf(url))) return;
    const reached = reachedBy(ip);
    if (this.ranges.some((range) => isInRange(ip, range) || isInRange(reached, range))) return;
    const fault = addressFault(ip);
    if (fault !== undefined) refuse(fault);
    this.checkUnlisted(url);
  }

  private checkUnlisted(url: URL): void {
    if (this.onlyListed) refuse('not on the list of allowed hosts and ranges');
    const host = hostOf(url);
    const fault = parseIp(host) ? undefined : nameFault(host);
    if (fault !== undefined) refuse(fault);
    if (!this.ports.has(portOf(url))) refuse(`port ${portOf(url)}`);
  }
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function refuse(reason: string): never {
  throw new ForbiddenTargetError(reason);
}
