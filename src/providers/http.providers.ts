import type { FactoryProvider, LoggerService } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { publicJwkOf } from 'nestjs-a2a/protocol';
import { A2A_AGENT_PATH, A2A_LOGGER, A2A_SCHEMES, A2A_SETTINGS } from '../a2a.constants.js';
import { A2AObserver } from '../a2a.observer.js';
import { ObserverReports } from '../a2a.observer-reports.js';
import type { A2ASettings } from '../a2a.options.js';
import { AgentCardProvider } from '../agent/card/agent-card.provider.js';
import { CardSigner } from '../agent/card/signing/card-signer.js';
import type { AuthenticationScheme } from '../authentication/authentication-scheme.js';
import { RequestAuthenticator } from '../authentication/request-authenticator.js';
import { NoSkillSource, SkillSource } from '../agent/skills/skill-source.js';
import { UserResolver } from '../authorization/user.resolver.js';
import { ExecutionLog } from '../execution/execution-log.js';
import type { AgentControllers } from '../http/agent-controllers.types.js';
import type { BindingServices } from '../http/binding.handler.js';
import { CallReader } from '../http/call-reader.js';
import { AgentCardService } from '../http/card/agent-card.service.js';
import { CardHandler } from '../http/card/card.handler.js';
import { JwksDocument } from '../http/card/jwks.document.js';
import { JwksHandler } from '../http/card/jwks.handler.js';
import { OpenStreams } from '../http/host/open-streams.js';
import { FailureReporter } from '../http/http-failure.js';
import { HttpMount } from '../http/http-mount.js';
import { JsonRpcHandler } from '../http/json-rpc/json-rpc.handler.js';
import { LegacyCardHandler } from '../http/legacy/legacy-card.handler.js';
import { LegacyHandler } from '../http/legacy/legacy.handler.js';
import { legacySharing } from '../http/legacy/legacy-paths.js';
import { RestHandler } from '../http/rest/rest.handler.js';
import { OperationGate } from '../operations/operation.gate.js';
import { checkedSkillSource } from './skill.providers.js';

const BINDING_SERVICES = Symbol('nestjs-a2a.binding-services');

/** What puts the operations and the card on HTTP. */
export function httpProviders(controllers: AgentControllers): FactoryProvider[] {
  return [
    { provide: OpenStreams, useFactory: () => new OpenStreams() },
    {
      provide: HttpMount,
      inject: [HttpAdapterHost, ApplicationConfig, A2A_SETTINGS, A2A_AGENT_PATH],
      useFactory: (host: HttpAdapterHost, app: ApplicationConfig, settings: A2ASettings, agentPath: string) =>
        new HttpMount(host, app, controllers, settings, agentPath),
    },
    {
      provide: AgentCardService,
      inject: [AgentCardProvider, HttpMount, A2A_LOGGER, A2A_SETTINGS, A2A_SCHEMES, SkillSource],
      useFactory: (
        provider: AgentCardProvider,
        mount: HttpMount,
        logger: LoggerService,
        { cardSigning, push }: A2ASettings,
        schemes: AuthenticationScheme[],
        skills: SkillSource,
      ) =>
        new AgentCardService({
          provider,
          logger,
          schemes,
          skills: skills instanceof NoSkillSource ? undefined : checkedSkillSource(skills),
          pushNotifications: push !== false,
          signer: cardSigning && new CardSigner(cardSigning, () => mount.jwksUrl()),
          interfaces: (baseUrl) => mount.interfaces(baseUrl),
          defaultBaseUrl: () => mount.baseUrl(),
        }),
    },
    {
      provide: CardHandler,
      inject: [AgentCardService, HttpMount],
      useFactory: (cards: AgentCardService, mount: HttpMount) => new CardHandler(cards, mount),
    },
    {
      provide: LegacyCardHandler,
      inject: [AgentCardService, HttpMount, A2A_SCHEMES],
      useFactory: (cards: AgentCardService, mount: HttpMount, schemes: readonly AuthenticationScheme[]) =>
        new LegacyCardHandler({ cards, mount, schemes }),
    },
    {
      provide: JwksHandler,
      inject: [A2A_SETTINGS],
      useFactory: ({ cardSigning }: A2ASettings) =>
        new JwksHandler(new JwksDocument(cardSigning?.keys.map(publicJwkOf) ?? [], new Date())),
    },
    {
      provide: BINDING_SERVICES,
      inject: [
        A2A_SETTINGS,
        OperationGate,
        UserResolver,
        RequestAuthenticator,
        A2A_LOGGER,
        OpenStreams,
        A2AObserver,
        ExecutionLog,
      ],
      useFactory: (
        settings: A2ASettings,
        gate: OperationGate,
        users: UserResolver,
        admission: RequestAuthenticator,
        logger: LoggerService,
        openStreams: OpenStreams,
        observer: A2AObserver,
        log: ExecutionLog,
      ): BindingServices => ({
        settings,
        gate,
        openStreams,
        reports: new ObserverReports(observer, log),
        admission,
        calls: new CallReader(users, admission),
        failures: new FailureReporter(logger),
      }),
    },
    {
      provide: LegacyHandler,
      inject: [BINDING_SERVICES],
      useFactory: (services: BindingServices) => new LegacyHandler(services),
    },
    {
      provide: JsonRpcHandler,
      inject: [BINDING_SERVICES, LegacyHandler],
      useFactory: (services: BindingServices, legacy: LegacyHandler) =>
        controllers.jsonRpc && legacySharing(services.settings)?.byJsonRpc ? legacy : new JsonRpcHandler(services),
    },
    {
      provide: RestHandler,
      inject: [BINDING_SERVICES, LegacyHandler],
      useFactory: (services: BindingServices, legacy: LegacyHandler) =>
        new RestHandler(services, controllers.rest && legacySharing(services.settings)?.byRest ? legacy : undefined),
    },
  ];
}
