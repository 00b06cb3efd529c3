import { isIPv6 } from 'node:net';

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

/** One subscriber of IPv6 has a /64 to himself. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
