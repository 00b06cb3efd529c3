import type { Socket } from 'node:net';
import type { Pool } from 'undici';
import type { CheckedAddress } from './checked-addresses.js';
import { SafeHttpError } from './errors.js';
import { pinnedConnector } from './pinned-connector.js';
import type { TlsContext } from './tls/tls-context.js';

/** Limits of all pools. */
export interface PinnedPoolsOptions {
  readonly connectTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly maxConnections: number;
  readonly tls?: TlsContext;
}

interface Entry {
  readonly pool: Pool;
  users: number;
}

/** A pool that stays as long as it is held. */
export interface HeldPool {
  readonly pool: Pool;
  /** This or {@link giveUp} is to be called, once. */
  release(): void;
  /** As {@link release}, when the request failed. */
  giveUp(): void;
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
    const held = await this.hold(url, addresses);
    try {
      const done = await work(held.pool);
      held.release();
      return done;
    } catch (error) {
      held.giveUp();
      throw error;
    }
  }

  async hold(url: URL, addresses: readonly CheckedAddress[]): Promise<HeldPool> {
    // Not before it is needed: once loaded, undici serves the global fetch() of the whole process.
    const undici = await import('undici');
    if (this.destroyed) throw new SafeHttpError('CLOSED', 'The HTTP client is closed');
    const key = [url.origin, ...addresses.map(({ address }) => address).sort()].join(' ');
    const entry = this.entries.get(key) ?? { pool: this.create(undici.Pool, url, addresses), users: 0 };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.users += 1;
    this.dropOldest();
    const release = (): void => void (entry.users -= 1);
    const giveUp = (): void => {
      release();
      // undici makes another connection at once for a request that was given up, though nobody waits for it any more.
      if (entry.users === 0) this.drop(key, entry);
    };
    return { pool: entry.pool, release, giveUp };
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
    if (idle) this.drop(...idle);
  }

  private drop(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) this.entries.delete(key);
    void entry.pool.destroy();
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
