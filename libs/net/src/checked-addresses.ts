import { lookup } from 'node:dns/promises';
import { ForbiddenTargetError, SafeHttpError } from './errors.js';
import { hostOf } from './host-names.js';
import { parseIp } from './ip-address.js';
import type { HostResolver } from './safe-http.types.js';
import type { TargetPolicy } from './target-policy.js';

/** An address that the policy let pass. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Look-ups in flight; a resolver that hangs must not gather more and more of them. */
const MAX_LOOKUPS = 256;
/** Names with more addresses exist; nobody needs more to connect. */
const MAX_USED = 8;

/** The system's resolver, hosts file and search list included. */
export const systemResolver: HostResolver = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

/** Resolves names, and lets a name pass only when every address of it does. */
export class CheckedAddresses {
  // Requests to one host at the same time share one look-up: a slow resolver is asked once.
  private readonly running = new Map<string, Promise<readonly string[]>>();

  constructor(
    private readonly policy: TargetPolicy,
    private readonly resolve: HostResolver = systemResolver,
  ) {}

  /**
   * @returns at least one address, in the resolver's order
   * @throws ForbiddenTargetError when any address is forbidden
   * @throws SafeHttpError `DNS_FAILED`
   */
  async of(url: URL): Promise<readonly CheckedAddress[]> {
    const host = hostOf(url);
    const found = parseIp(host) ? [host] : await this.lookUp(host);
    if (found.length === 0) throw new SafeHttpError('DNS_FAILED', 'The host has no address');
    // One inner address among outer ones is an attack or a mistake: neither is worth a connection.
    for (const address of found) this.policy.checkAddress(address, url);
    return found.map(checked).slice(0, MAX_USED);
  }

  private async lookUp(host: string): Promise<readonly string[]> {
    const known = this.running.get(host);
    if (known) return known;
    if (this.running.size >= MAX_LOOKUPS) throw new SafeHttpError('DNS_FAILED', 'Too many names wait for the resolver');
    const started = this.ask(host).finally(() => this.running.delete(host));
    this.running.set(host, started);
    return started;
  }

  private async ask(host: string): Promise<readonly string[]> {
    try {
      // Each is read once, so that what is checked is what is used.
      return (await this.resolve(host)).map(({ address }) => address);
    } catch (error) {
      throw new SafeHttpError('DNS_FAILED', 'The host cannot be resolved', error);
    }
  }
}

/** The family by the address itself, whatever the resolver calls it. */
function checked(address: string): CheckedAddress {
  const ip = parseIp(address);
  if (!ip) throw new ForbiddenTargetError('not an IP address');
  return { address, family: ip.kind() === 'ipv4' ? 4 : 6 };
}
