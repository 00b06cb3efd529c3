import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import type { CheckedAddress } from './checked-addresses.js';
import { SafeHttpError } from './errors.js';
import { pinnedConnector } from './pinned-connector.js';
import type { SafeTlsOptions } from './safe-http.types.js';

/** Limits of all pools. */
export interface PinnedPoolsOptions {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly maxConnections: number;
  readonly tls?: SafeTlsOptions;
}

interface Entry {
  readonly pool: Pool;
  users: number;
}

/** An idle pool is small: its connections close by themselves. */
const MAX_POOLS = 256;
const KEEP_ALIVE_MS = 4000;
const MAX_HEADER_BYTES = 16384;

/**
 * One pool for each origin at each set of checked addresses. A request whose name leads elsewhere by now finds another
 * pool, so a connection that is kept alive is never used past what was just checked.
 */
export class PinnedPools {
  // In order of use, the oldest first.
  private readonly entries = new Map<string, Entry>();
  private readonly connecting = new Set<Socket>();
  private destroyed = false;

  constructor(private readonly options: PinnedPoolsOptions) {}

  async use<T>(url: URL, addresses: readonly CheckedAddress[], work: (pool: Pool) => Promise<T>): Promise<T> {
    // Not before it is needed: once loaded, undici serves the global fetch() of the whole process.
    const undici = await import('undici');
    if (this.destroyed) throw new SafeHttpError('CLOSED', 'The HTTP client is closed');
    const key = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const entry = this.entries.get(key) ?? { pool: this.create(undici.Pool, url, addresses), users: 0 };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.users += 1;
    this.dropOldest();
    try {
      return await work(entry.pool);
    } finally {
      entry.users -= 1;
    }
  }

  async destroy(): Promise<void> {
    this.destroyed = true;
    const pools = [...this.entries.values()].map(({ pool }) => pool);
    this.entries.clear();
    const ended = Promise.all(pools.map((pool) => pool.destroy()));
    for (const socket of this.connecting) socket.destroy();
    await ended;
  }

  private dropOldest(): void {
    if (this.entries.size <= MAX_POOLS) return;
    const idle = [...this.entries].find(([, { users }]) => users === 0);
    if (!idle) return;
    this.entries.delete(idle[0]);
    void idle[1].pool.destroy();
  }

  private create(PoolOf: typeof Pool, url: URL, addresses: readonly CheckedAddress[]): Pool {
    const { connectTimeoutMs, headersTimeoutMs, maxConnections, tls } = this.options;
    return new PoolOf(url.origin, {
      connect: pinnedConnector({ addresses, timeoutMs: connectTimeoutMs, tls, connecting: this.connecting }),
      connections: maxConnections,
      headersTimeout: headersTimeoutMs,
      bodyTimeout: headersTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
      allowH2: false,
    });
  }
}
