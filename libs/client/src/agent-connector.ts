import { setMaxListeners } from 'node:events';
import { canStream, type AgentConnection } from './agent-connection.js';
import { AgentCalls } from './calls/agent-calls.js';
import { type A2AClientOptions, DEFAULT_RETRY, tlsOf } from './client-options.js';
import { A2AClientError } from './client-error.js';
import { credentialSourceOf } from './credentials/credential-setting.js';
import type { CredentialSource } from './credentials/credential-source.js';
import { AgentDirectory } from './discovery/agent-directory.js';
import { noUsableInterface, type InterfaceChoice } from './discovery/choose-interface.js';
import type { AgentTarget } from './discovery/agent-target.js';
import type { DiscoveredAgent } from './discovery/discovered-agent.js';
import { AgentHttp } from './http/agent-http.js';
import type { ClientHttp } from './http/client-http.js';
import { InterceptedHttp } from './http/intercepted-http.js';
import { SafeClientHttp } from './http/safe-client-http.js';
import type { A2ATransport, A2ATransportFactory } from './transport/a2a-transport.js';
import { httpJsonTransport } from './transport/http-json.transport.js';
import { jsonRpcTransport } from './transport/json-rpc.transport.js';
import { OlderExchangeTransport } from './transport/older-exchange.transport.js';

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
    this.http = options.http ?? new SafeClientHttp({ ...limits, network, connectTimeoutMs, tls });
    this.credentials = credentialSourceOf(options.credentials, tls);
    this.factories = [...transports, jsonRpcTransport, httpJsonTransport];
    this.choice = { bindings: this.factories.map(({ binding }) => binding), preferredProtocol, protocols };
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

  find(target: AgentTarget, signal?: AbortSignal): Promise<DiscoveredAgent> {
    return this.directory.find(target, { cardPath: this.options.cardPath, signal });
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
    const { url, tenant = '', protocolBinding, protocolVersion } = chosen;
    const binding = protocolBinding.toLowerCase();
    const factory = this.factories.find((entry) => entry.binding.toLowerCase() === binding);
    if (factory === undefined) throw noUsableInterface(card, this.choice);
    return factory.create({ url, tenant, protocolVersion, http });
  }
}
