import type { LogLevel, LoggerService, Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { A2AModule } from './a2a.module.js';
import type { A2AModuleExtras } from './a2a.extras.js';
import type { A2AModuleOptions } from './a2a.options.js';
import type { AgentExecutor } from './agent/agent-executor.js';
import { ApiKeyScheme } from './authentication/api-key.scheme.js';
import { BearerScheme } from './authentication/bearer.scheme.js';

/** How {@link serveAgent} serves: the module's own options, and where. */
export interface ServeAgentOptions extends Omit<A2AModuleOptions, 'agentCard' | 'enabled'> {
  /** 0 takes a free one. Default 0. */
  readonly port?: number;
  /** The interface to listen on. Default: all. */
  readonly host?: string;
  /** Name in the card. Default `agent`. */
  readonly name?: string;
  /** Description in the card. Default `''`. */
  readonly description?: string;
  /** The whole card, instead of name and description. */
  readonly agentCard?: A2AModuleOptions['agentCard'];
  /** The HTTP adapter. Default: Express, so `@nestjs/platform-express` must be installed then. */
  readonly adapter?: AbstractHttpAdapter;
  /** Nest's logger setting. Default: errors and warnings. */
  readonly logger?: LoggerService | LogLevel[] | false;
  /** Callers must send this key in `X-API-Key`. With {@link bearer} as well, either will do. */
  readonly apiKey?: string;
  /** Callers must send this secret as `Authorization: Bearer …`. */
  readonly bearer?: string;
  /** Further ways in which callers prove who they are. */
  readonly authentication?: A2AModuleExtras['authentication'];
  readonly imports?: A2AModuleExtras['imports'];
  readonly providers?: A2AModuleExtras['providers'];
}

/** An agent that is being served. */
export interface ServedAgent {
  /** Where it is; the card is below it at `/.well-known/agent-card.json`. */
  readonly url: string;
  readonly port: number;
  /** Stops it: streams end, runs are given their time. */
  close(): Promise<void>;
}

/**
 * Serves an agent with one call, for scripts and tests. An app of your own imports {@link A2AModule} instead.
 *
 * @param executor the agent: a class, or an object with an `execute` method
 * @throws A2AConfigurationError, and what listening throws (a port in use)
 * @publicApi
 */
export async function serveAgent(
  executor: Type<AgentExecutor> | AgentExecutor,
  options: ServeAgentOptions = {},
): Promise<ServedAgent> {
  const { port = 0, host, name = 'agent', description = '', adapter, logger = ['error', 'warn'], ...more } = options;
  const { apiKey, bearer, authentication = [], ...settingsOfModule } = more;
  const module = A2AModule.forRoot({
    agentCard: { name, description },
    ...settingsOfModule,
    // `in`, not a value: a variable that is not set must not open the agent.
    authentication: [
      ...('apiKey' in options ? [new ApiKeyScheme({ keys: apiKey ?? '' })] : []),
      ...('bearer' in options ? [new BearerScheme({ secrets: bearer ?? '' })] : []),
      ...authentication,
    ],
    executor: typeof executor === 'function' ? executor : { useValue: executor },
  });
  const settings = { logger, abortOnError: false };
  const app = adapter
    ? await NestFactory.create(module, adapter, settings)
    : await NestFactory.create(module, settings);
  try {
    await (host === undefined ? app.listen(port) : app.listen(port, host));
  } catch (error) {
    await app.close();
    throw error;
  }
  const url = new URL(await app.getUrl());
  if (url.hostname === '[::1]' || url.hostname === '[::]' || url.hostname === '0.0.0.0') url.hostname = 'localhost';
  return { url: url.origin, port: Number(url.port), close: () => app.close() };
}
