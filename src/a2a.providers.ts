import { Logger, type FactoryProvider, type InjectionToken, type Provider } from '@nestjs/common';
import { A2A_AGENT_PATH, A2A_LOGGER, A2A_OPTIONS, A2A_SETTINGS } from './a2a.constants.js';
import { A2ADiagnostics } from './a2a.diagnostics.js';
import type { A2AModuleExtras, AuthenticationEntry } from './a2a.extras.js';
import type { A2AModuleOptions } from './a2a.options.js';
import { AgentExecutor } from './agent/agent-executor.js';
import { AgentCardProvider } from './agent/card/agent-card.provider.js';
import { RequestAuthenticator } from './authentication/request-authenticator.js';
import { startupSettings } from './config/startup-settings.js';
import { TaskEventBus } from './events/task-event-bus.js';
import type { AgentControllers } from './http/agent-controllers.types.js';
import { AgentCardService } from './http/card/agent-card.service.js';
import { CardHandler } from './http/card/card.handler.js';
import { JwksHandler } from './http/card/jwks.handler.js';
import { JsonRpcHandler } from './http/json-rpc/json-rpc.handler.js';
import { RestHandler } from './http/rest/rest.handler.js';
import { RequestHandler } from './operations/request-handler.js';
import { PushNotificationConfigStore } from './push/push-notification-config-store.js';
import { authenticationProviders } from './providers/authentication.providers.js';
import { executionProviders } from './providers/execution.providers.js';
import { hostProviders } from './providers/host.providers.js';
import { httpProviders } from './providers/http.providers.js';
import { operationProviders } from './providers/operation.providers.js';
import { pushProviders } from './providers/push.providers.js';
import { seamProviders } from './providers/seam.providers.js';
import { skillProvider } from './providers/skill.providers.js';
import { TaskStore } from './tasks/task-store.js';

/** What the providers of one agent depend on. */
export interface ProviderInput {
  readonly agentPath: string;
  readonly executor: A2AModuleExtras['executor'];
  readonly controllers: AgentControllers;
  readonly authentication: readonly AuthenticationEntry[];
  readonly skills: A2AModuleExtras['skills'];
  /** The host's own; one for a token of ours stands in its place. */
  readonly providers: readonly Provider[];
}

/** The seams and services that an importing module may inject. */
const EXPORTED: readonly InjectionToken[] = [
  A2A_SETTINGS,
  A2ADiagnostics,
  AgentCardService,
  CardHandler,
  JsonRpcHandler,
  JwksHandler,
  PushNotificationConfigStore,
  RequestAuthenticator,
  RequestHandler,
  RestHandler,
  TaskEventBus,
  TaskStore,
];

/** The tokens that the module exports: its own, and those of the providers it was given. */
export function exportedTokens(providers: readonly Provider[]): InjectionToken[] {
  return [...new Set([...EXPORTED, ...providers.map(tokenOf)])];
}

/** Everything that one agent is made of; what the host provides itself stands in the place of the default. */
export function a2aProviders(input: ProviderInput): Provider[] {
  const { agentPath, executor, controllers, authentication, skills, providers } = input;
  const given = new Set(providers.map(tokenOf));
  const defaults = [
    { provide: A2A_AGENT_PATH, useValue: agentPath },
    { provide: A2A_LOGGER, useValue: new Logger(agentPath === '' ? 'A2A' : `A2A ${agentPath}`) },
    settingsProvider(!given.has(AgentCardProvider), authentication.length > 0),
    ...seamProviders(),
    skillProvider(skills),
    ...executionProviders(),
    ...operationProviders(),
    ...pushProviders(),
    ...authenticationProviders(authentication),
    ...httpProviders(controllers),
    ...hostProviders(),
  ].filter((provider) => !given.has(tokenOf(provider)));
  return [...(executor === undefined ? [] : [executorProvider(executor)]), ...defaults, ...providers];
}

function executorProvider(executor: NonNullable<A2AModuleExtras['executor']>): Provider {
  return typeof executor === 'function'
    ? { provide: AgentExecutor, useClass: executor }
    : { provide: AgentExecutor, ...executor };
}

function settingsProvider(cardFromOptions: boolean, schemesToCome: boolean): FactoryProvider {
  return {
    provide: A2A_SETTINGS,
    inject: [A2A_OPTIONS],
    useFactory: (options: A2AModuleOptions) => startupSettings(options, cardFromOptions, schemesToCome),
  };
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}
