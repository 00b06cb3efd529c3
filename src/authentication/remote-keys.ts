import type { LoggerService } from '@nestjs/common';
import { errors, type JWTVerifyGetKey } from 'jose';
import { UnavailableError } from 'nestjs-a2a/protocol';
import type { JwtKeys } from './jwt-keys.js';

/** What fetches the keys, and how long they are good for; times in milliseconds. */
export interface RemoteKeysOptions {
  fetch(): Promise<JWTVerifyGetKey>;
  close(): Promise<void>;
  readonly cacheMs: number;
  readonly cooldownMs: number;
  readonly staleMs: number;
  readonly logger: Pick<LoggerService, 'warn'>;
  /** Default: a clock that never goes back. */
  readonly now?: () => number;
}

interface FetchedKeys {
  readonly find: JWTVerifyGetKey;
  readonly at: number;
}

/**
 * Keys that an issuer publishes. They are fetched when a token needs them, once for all who wait, and anew when they
 * are old, or when a token names one that is not there; but never more often than the cooldown allows, so that no
 * caller can make us knock at the issuer. While the issuer cannot be reached, what was fetched goes on for a while.
 */
export class RemoteKeys implements JwtKeys {
  private fetched: FetchedKeys | undefined;
  private fetching: Promise<FetchedKeys | undefined> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  private readonly now: () => number;

  constructor(private readonly options: RemoteKeysOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** @throws UnavailableError when there are no keys to decide by */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.current();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const fresh = await this.newerThan(keys);
      if (fresh === undefined) throw error;
      return fresh.find(header, token);
    }
  };

  close(): Promise<void> {
    return this.options.close();
  }

  private async current(): Promise<FetchedKeys> {
    const { cacheMs, staleMs } = this.options;
    const { fetched } = this;
    const age = fetched === undefined ? Number.POSITIVE_INFINITY : this.now() - fetched.at;
    if (fetched !== undefined && age < cacheMs) return fetched;
    const fetching = this.fetching ?? (this.coolsDown() ? undefined : this.refresh());
    // Nobody waits for an issuer that is slow while there are keys.
    if (fetched !== undefined && age < cacheMs + staleMs) return fetched;
    const keys = await fetching;
    if (keys !== undefined) return keys;
    const seconds = Math.ceil((this.triedAt + this.options.cooldownMs - this.now()) / 1000);
    throw new UnavailableError('Tokens cannot be checked at the moment', Math.max(1, seconds));
  }

  /** Keys that were fetched after these; `undefined` when there are none. */
  private async newerThan(keys: FetchedKeys): Promise<FetchedKeys | undefined> {
    if (this.fetching === undefined && this.fetched === keys && !this.coolsDown()) void this.refresh();
    await this.fetching;
    return this.fetched === keys ? undefined : this.fetched;
  }

  private coolsDown(): boolean {
    return this.now() - this.triedAt < this.options.cooldownMs;
  }

  /** Never rejects. */
  private refresh(): Promise<FetchedKeys | undefined> {
    this.triedAt = this.now();
    this.fetching = this.fetch().finally(() => {
      this.fetching = undefined;
    });
    return this.fetching;
  }

  private async fetch(): Promise<FetchedKeys | undefined> {
    try {
      const find = await this.options.fetch();
      return (this.fetched = { find, at: this.now() });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.options.logger.warn(`The keys of a token issuer could not be fetched: ${why}`);
      return undefined;
    }
  }
}
