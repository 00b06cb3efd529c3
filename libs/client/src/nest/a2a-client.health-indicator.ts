import { Injectable, Logger } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { A2AClient } from '../a2a-client.js';
import { CallScope } from '../calls/call-scope.js';
import { A2AClientError } from '../client-error.js';
import { checkNames, type NamesOf } from '../option-names.js';
import { getA2AClientToken } from './a2a-client.tokens.js';
import { invalid } from './client-root.js';

/** How an agent is. */
export interface A2AAgentHealth {
  readonly status: 'up' | 'down';
  /** Code of the error that says so, `CONNECT_FAILED` for example. More is in the log. */
  readonly reason?: string;
}

/** How an agent is looked at. */
export interface A2AClientHealthOptions {
  /** Milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
  /** As in `forRoot`, where an app has several. */
  readonly root?: string;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const OPTIONS: NamesOf<A2AClientHealthOptions> = { timeoutMs: true, root: true };

/**
 * Tells `@nestjs/terminus` (11, 12) whether agents are there: whether they give their card now.
 *
 * @publicApi
 */
@Injectable()
export class A2AClientHealthIndicator {
  private readonly logger = new Logger(A2AClientHealthIndicator.name);
  private readonly down = new Set<string>();

  constructor(private readonly modules: ModuleRef) {}

  /**
   * @param key in the result
   * @param name as in `forFeature`
   * @throws A2AClientError `INVALID_CONFIGURATION` when there is no client of this name, or no such option
   */
  async isHealthy(
    key: string,
    name: string,
    options: A2AClientHealthOptions = {},
  ): Promise<Record<string, A2AAgentHealth>> {
    checkNames('The options of isHealthy', options, OPTIONS);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, root } = options;
    const token = getA2AClientToken(name, root);
    const client = this.clientOf(token, name);
    const scope = new CallScope(undefined, timeoutMs);
    try {
      await client.agent({ fresh: true, signal: scope.signal });
      this.down.delete(token);
      return { [key]: { status: 'up' } };
    } catch (error) {
      // Who asks for the health of an app may be anybody: addresses and answers are for the log.
      this.report(token, name, error);
      return { [key]: { status: 'down', reason: reasonOf(error) } };
    } finally {
      scope.end();
    }
  }

  private clientOf(token: string, name: string): A2AClient {
    try {
      return this.modules.get<A2AClient>(token, { strict: false });
    } catch (error) {
      throw invalid(`There is no A2A client “${name}”: name it in A2AClientModule.forFeature()`, error);
    }
  }

  /** Once until it is up again: probes come every few seconds. */
  private report(token: string, name: string, error: unknown): void {
    if (this.down.has(token)) return;
    this.down.add(token);
    this.logger.warn(`The agent “${name}” is down: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof A2AClientError ? error.code : 'UNKNOWN';
}
