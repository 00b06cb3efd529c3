import { createHash } from 'node:crypto';
import { canonicalIp } from 'nestjs-a2a/net';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

interface Window {
  failures: number;
  readonly end: number;
}

/** Counts failed logins of each address in the minute from its first one. The table has a bound and needs no timer. */
export class FailedLoginsLimit {
  private readonly windows = new Map<string, Window>();

  /** @param max failures of one address in a minute */
  constructor(
    private readonly max: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** After how many seconds the address may try again; 0 when it may now. */
  waitOf(address: string): number {
    const window = this.windows.get(networkOf(address));
    if (window === undefined || window.failures < this.max) return 0;
    return Math.max(0, Math.ceil((window.end - this.now()) / 1000));
  }

  count(address: string): void {
    const network = networkOf(address);
    const now = this.now();
    const known = this.windows.get(network);
    if (known !== undefined && known.end > now) {
      known.failures++;
      return;
    }
    // Windows are all of one length: the first in the map ends first.
    this.windows.delete(network);
    if (this.windows.size >= MAX_ADDRESSES) this.dropFirst();
    this.windows.set(network, { failures: 1, end: now + WINDOW_MS });
  }

  get size(): number {
    return this.windows.size;
  }

  private dropFirst(): void {
    const [first] = this.windows.keys();
    if (first !== undefined) this.windows.delete(first);
  }
}

// Some proxies pass on the port as well, which is another one for each connection.
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * Who is counted as one: an address, however it is written; of IPv6 a /64, which one subscriber has to himself. Always
 * a short text of its own: what a trusted proxy passes on may be of any length, and a part of it would keep it all.
 */
function networkOf(address: string): string {
  const [, inBrackets, before] = WITH_PORT.exec(address) ?? [];
  const [host = ''] = (inBrackets ?? before ?? address).split('%', 1);
  const ip = canonicalIp(host);
  if (ip === undefined) return createHash('sha256').update(address).digest('base64url');
  return ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip;
}
