import type { TlsContext } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import type { AgentAuthenticator } from '../credentials/agent-authenticator.js';
import { createAuthenticator } from '../credentials/create-authenticator.js';
import { SslContextFactory } from '../tls/ssl-context-factory.js';
import type { A2ARuntime } from './a2a-runtime.js';
import { DefaultA2ARuntime } from './runtime/default-a2a.runtime.js';
import { A2ATransport } from './transport/a2a-transport.js';
import type { A2ATransportParts } from './transport/transport-options.js';
import type { WorkflowEngineClientConfig } from './workflow-engine-client.config.js';

/**
 * What may take the place of what the settings describe.
 *
 * @publicApi
 */
export interface A2ATransportReplacements {
  readonly runtime?: A2ARuntime;
  readonly authenticator?: AgentAuthenticator;
}

/**
 * A transport as the settings describe it.
 *
 * @param cards of the agents it can call
 * @param replacements of its parts; they are closed with it
 * @throws WorkflowArgumentError when a card lacks what a call needs, or two have one name, or credentials are wrong
 * @throws SecurityException when encrypted credentials cannot be read
 * @throws WorkflowError `Failed to build outbound TLS context`
 * @publicApi
 */
export function createA2ATransport(
  cards: Iterable<AgentCard>,
  config: WorkflowEngineClientConfig,
  replacements: A2ATransportReplacements = {},
): A2ATransport {
  return new A2ATransport(cards, config, createTransportParts(config, replacements));
}

/** The parts of a transport that know nothing of cards. Throws as {@link createA2ATransport}. */
export function createTransportParts(
  config: WorkflowEngineClientConfig,
  { runtime, authenticator }: A2ATransportReplacements = {},
): A2ATransportParts {
  let context: TlsContext | undefined;
  const tls = (): TlsContext => (context ??= SslContextFactory.create(config));
  return {
    runtime: runtime ?? runtimeOf(config, tls()),
    authenticator: authenticator ?? createAuthenticator(config, tls),
  };
}

function runtimeOf({ preferredProtocol, network, log }: WorkflowEngineClientConfig, tls: TlsContext): A2ARuntime {
  return new DefaultA2ARuntime({ preferredProtocol, network, log, tls });
}
