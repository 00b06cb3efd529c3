import type { ClientHttp } from 'nestjs-a2a/client';

// More agents than this are called by hardly anybody; each holds its connections until others need the place.
const MAX_IDLE_POOLS = 64;

interface Pool {
  readonly http: ClientHttp;
  uses: number;
}

/** HTTP to agents, each with connections of its own. */
export class AgentPools {
  /** In the order of their last use. */
  private readonly pools = new Map<string, Pool>();
  private readonly dedicated = new Set<ClientHttp>();
  private closed = false;

  constructor(
    private readonly make: () => ClientHttp,
    private readonly closedError: () => Error,
  ) {}

  /** Lends out the HTTP of an agent; to be given back once. */
  take(agent: string): { readonly http: ClientHttp; giveBack(): void } {
    if (this.closed) throw this.closedError();
    const pool = this.pools.get(agent) ?? { http: this.make(), uses: 0 };
    pool.uses += 1;
    this.pools.delete(agent);
    this.pools.set(agent, pool);
    return {
      http: pool.http,
      giveBack: () => {
        pool.uses -= 1;
        this.dropIdle();
      },
    };
  }

  /** Makes HTTP that nobody else uses; it is closed when it is given back. */
  takeOwn(): { readonly http: ClientHttp; giveBack(): void } {
    if (this.closed) throw this.closedError();
    const http = this.make();
    this.dedicated.add(http);
    return {
      http,
      giveBack: () => {
        if (this.dedicated.delete(http)) close(http);
      },
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    const all = [...[...this.pools.values()].map(({ http }) => http), ...this.dedicated];
    this.pools.clear();
    this.dedicated.clear();
    await Promise.allSettled(all.map((http) => http.close()));
  }

  private dropIdle(): void {
    if (this.pools.size <= MAX_IDLE_POOLS) return;
    for (const [agent, { http, uses }] of this.pools) {
      if (uses > 0) continue;
      this.pools.delete(agent);
      close(http);
      return;
    }
  }
}

// Nobody waits for connections that are no longer used.
function close(http: ClientHttp): void {
  http.close().catch(() => undefined);
}
