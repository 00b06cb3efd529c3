import type { OnApplicationShutdown } from '@nestjs/common';
import { A2AClient } from '../a2a-client.js';
import { A2AClientError } from '../client-error.js';
import { checkClientOptions } from '../client-options.check.js';
import { type A2AClientOptions, tlsOf } from '../client-options.js';
import { cardLocationOf } from '../discovery/card-location.js';
import type { ClientHttp } from '../http/client-http.js';
import { shown } from '../http/document-cache.js';
import { SafeClientHttp } from '../http/safe-client-http.js';
import type { A2AAgentEntry, A2AAgentSettings } from './a2a-client-module.options.js';
import { agentOptions, differingOption } from './agent-options.js';

interface KnownAgent {
  readonly settings: A2AAgentSettings;
  readonly client: A2AClient;
}

/** The clients of one `forRoot`, and the connections that they share. Ended with the app. */
export class ClientRoot implements OnApplicationShutdown {
  /** Has no agent: for those whose address is known at run time only. */
  readonly unbound: A2AClient;
  private readonly options: A2AClientOptions;
  private readonly http: ClientHttp;
  private readonly agents = new Map<string, KnownAgent>();
  private closed: Promise<void> | undefined;

  constructor(private readonly given: A2AClientOptions) {
    checkClientOptions(given);
    // Certificates are read once, and what is wrong with them is said when the app starts.
    const tls = tlsOf(given);
    const { limits, network, connectTimeoutMs } = given;
    this.http = given.http ?? new SafeClientHttp({ ...limits, network, connectTimeoutMs, tls });
    this.options = { ...given, tls };
    this.unbound = new A2AClient({ ...this.options, http: this.http });
  }

  /**
   * The client of an agent: the same one for all who name it alike.
   *
   * @throws A2AClientError `INVALID_CONFIGURATION`
   */
  client({ name, ...settings }: A2AAgentEntry): A2AClient {
    const wanted = { ...settings, url: addressOf(name, settings) };
    const known = this.agents.get(name);
    if (known === undefined) {
      const client = this.clientFor(name, settings);
      this.agents.set(name, { settings: wanted, client });
      return client;
    }
    const differing = differingOption(known.settings, wanted);
    if (differing === undefined) return known.client;
    throw differing === 'url'
      ? twoAddresses(name, known.settings.url, wanted.url)
      : twoSettings(name, wanted.url, differing);
  }

  onApplicationShutdown(): Promise<void> {
    // Not before: agents that are served here may need their clients to come to an end.
    return (this.closed ??= this.close());
  }

  private clientFor(name: string, settings: A2AAgentSettings): A2AClient {
    try {
      return new A2AClient(agentOptions(this.options, settings, this.http), settings.url);
    } catch (error) {
      throw cannotBeMade(name, error);
    }
  }

  private async close(): Promise<void> {
    const clients = [this.unbound, ...[...this.agents.values()].map(({ client }) => client)];
    await Promise.all(clients.map((client) => client.close()));
    if (this.given.http === undefined) await this.http.close();
  }
}

export function invalid(problem: string, cause?: unknown): A2AClientError {
  return new A2AClientError('INVALID_CONFIGURATION', problem, { cause });
}

/** Where an agent is, however that was written. */
function addressOf(name: string, { url, cardPath }: A2AAgentSettings): string {
  try {
    cardLocationOf(url, cardPath);
    return new URL(url).href.replace(/\/+$/, '');
  } catch (error) {
    throw cannotBeMade(name, error);
  }
}

function cannotBeMade(name: string, error: unknown): A2AClientError {
  const problem = error instanceof Error ? error.message : String(error);
  return invalid(`The A2A client “${name}” cannot be made: ${problem}`, error);
}

function twoAddresses(name: string, one: string | URL, other: string | URL): A2AClientError {
  return invalid(
    `Two agents are called “${name}”: ${shown(String(one))} and ${shown(String(other))}. ` +
      'Give one of them another name in forFeature',
  );
}

function twoSettings(name: string, url: string | URL, option: string): A2AClientError {
  return invalid(
    `The A2A client “${name}” (${shown(String(url))}) is set up twice, with different \`${option}\`. ` +
      'Set it up in one module that exports it, or give forFeature the same constant in both',
  );
}
