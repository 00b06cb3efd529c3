import { setMaxListeners } from 'node:events';
import { abortable } from 'nestjs-a2a/net';
import { canStream, type AgentConnection } from './agent-connection.js';
import { AgentCalls } from './calls/agent-calls.js';
import { CallScope } from './calls/call-scope.js';
import { type A2AClientOptions, DEFAULT_RETRY, tlsOf } from './client-options.js';
import { A2AClientError } from './client-error.js';
import { credentialSourceOf } from './credentials/credential-setting.js';
import type { CredentialSource } from './credentials/credential-source.js';
import { AgentDirectory } from './discovery/agent-directory.js';
import { noUsableInterface, speaks, type InterfaceChoice } from './discovery/choose-interface.js';
import type { AgentTarget } from './discovery/agent-target.js';
import type { DiscoveredAgent } from './discovery/discovered-agent.js';
import { AgentHttp } from './http/agent-http.js';
import type { ClientHttp } from './http/client-http.js';
import { placeOf } from './http/http-failure.js';
import { InterceptedHttp } from './http/intercepted-http.js';
import { ListeningHttp } from './http/listening-http.js';
import { SafeClientHttp } from './http/safe-client-http.js';
import type { A2ATransport, A2ATransportFactory } from './transport/a2a-transport.js';
import { httpJsonTransport } from './transport/http-json.transport.js';
import { jsonRpcTransport } from './transport/json-rpc.transport.js';
import { OlderExchangeTransport } from './transport/older-exchange.transport.js';
import { httpJsonV03Transport } from './transport/v03/http-json-v03.transport.js';
import { jsonRpcV03Transport } from './transport/v03/json-rpc-v03.transport.js';

/** What the clients of one set of options share: connections, cards, tokens. */
export class AgentConnector {
  private readonly http: ClientHttp;
  private readonly directory: AgentDirectory;
  private readonly credentials: CredentialSource;
  private readonly factories: readonly A2ATransportFactory[];
  private readonly choice: InterfaceChoice;
  private readonly closing = new AbortController();

  constructor(private readonly options: A2AClientOptions) {
    // One listener for each call that is on its way is no leak.
    setMaxListeners(0, this.closing.signal);
    const { preferredProtocol, protocols, limits, network, connectTimeoutMs, transports = [] } = options;
    const tls = tlsOf(options);
    const own = (): ClientHttp => new SafeClientHttp({ ...limits, network, connectTimeoutMs, tls });
    this.http = options.http ? new ListeningHttp(options.http) : own();
    this.credentials = credentialSourceOf(options.credentials, tls);
    this.factories = [...transports, jsonRpcTransport, httpJsonTransport, jsonRpcV03Transport, httpJsonV03Transport];
    this.choice = { spoken: this.factories, preferredProtocol, protocols };
    const { trust, cardLifetimeSeconds, interceptors } = options;
    const { credentials, choice } = this;
    this.directory = new AgentDirectory(this.http, {
      trust,
      cardLifetimeSeconds,
      credentials,
      interceptors,
      ...choice,
    });
  }

  /** @param refresh asks for the card, whatever the cache has */
  find(target: AgentTarget, signal?: AbortSignal, refresh = false): Promise<DiscoveredAgent> {
    const { cardPath } = this.options;
    return this.untilClosed((stop) => this.directory.find(target, { cardPath, signal: stop, refresh }), signal);
  }

  /** For what goes over HTTP, interceptors or keys of others, which may hear neither of a signal nor of our end. */
  async untilClosed<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const scope = new CallScope(signal, 0, this.closing.signal);
    try {
      scope.signal.throwIfAborted();
      return await abortable(work(scope.signal), scope.signal);
    } finally {
      scope.end();
    }
  }

  /** @throws A2AClientError `NO_USABLE_INTERFACE` */
  connect(agent: DiscoveredAgent): AgentConnection {
    const { limits, retry, maxFrameLength, wait } = this.options;
    const transport = this.transportFor(agent);
    const calls = new AgentCalls(transport, {
      limits,
      retry: { ...DEFAULT_RETRY, ...retry },
      maxFrameLength,
      wait,
      closed: this.closing.signal,
      place: placeOf(agent.interface?.url ?? agent.legacy?.url ?? agent.origin),
    });
    return { agent, calls, streams: canStream(agent), close: () => transport.close() };
  }

  async close(): Promise<void> {
    // Not by way of HTTP alone: some wait, to poll or to try again.
    this.closing.abort(new A2AClientError('CLOSED', 'The client is closed'));
    if (this.options.http === undefined) await this.http.close();
  }

  private transportFor(agent: DiscoveredAgent): A2ATransport {
    const { credentialOrigins, interceptors } = this.options;
    const { card, interface: chosen, legacy } = agent;
    const { credentials } = this;
    const agentHttp = new AgentHttp(this.http, { agent, credentials, credentialOrigins });
    const http = new InterceptedHttp(agentHttp, interceptors);
    if (chosen === undefined) {
      if (legacy === undefined) throw noUsableInterface(card, this.choice);
      return new OlderExchangeTransport(http, legacy.url);
    }
    const { url, tenant = '', protocolVersion } = chosen;
    const factory = this.factories.find((entry) => speaks(entry, chosen));
    if (factory === undefined) throw noUsableInterface(card, this.choice);
    return factory.create({ url, tenant, protocolVersion, http });
  }
}
