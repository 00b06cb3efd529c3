import { ConfigurableModuleBuilder, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { A2A_OPTIONS } from './a2a.constants.js';
import type { A2AModuleExtras } from './a2a.extras.js';
import { notAnExecutorMessage } from './a2a.messages.js';
import type { A2AModuleOptions } from './a2a.options.js';
import { a2aProviders, exportedTokens } from './a2a.providers.js';
import { normaliseAgentPath } from './agent/agent-path.js';
import { A2AAuthGuard } from './authentication/a2a-auth.guard.js';
import { A2AConfigurationError } from './config/a2a-configuration.error.js';
import { controllerList, createAgentControllers } from './http/agent-controllers.js';
import { hostControllers } from './http/host-controllers.js';

const NO_EXTRAS: A2AModuleExtras = {
  isGlobal: false,
  path: '',
  executor: undefined,
  imports: [],
  providers: [],
  controllers: true,
  authentication: [],
  skills: undefined,
  guards: [],
};

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2AModuleOptions>({ moduleName: 'A2A', optionsInjectionToken: A2A_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createA2AOptions')
    .setExtras<A2AModuleExtras>(NO_EXTRAS, withExtras)
    .build();

function withExtras(definition: DynamicModule, extras: A2AModuleExtras): DynamicModule {
  const isGlobal = extras.isGlobal === true;
  const imports = extras.imports ?? [];
  const providers = extras.providers ?? [];
  const authentication = extras.authentication ?? [];
  // Who calls is known before the host's guards ask for it.
  const guards = [...(authentication.length > 0 ? [A2AAuthGuard] : []), ...(extras.guards ?? [])];
  const controllers = extras.controllers === false ? hostControllers() : createAgentControllers(guards);
  checkExecutorClass(extras.executor);
  const agentPath = normaliseAgentPath(extras.path ?? '');
  return {
    ...definition,
    global: isGlobal,
    imports: [DiscoveryModule, ...(definition.imports ?? []), ...imports],
    controllers: controllerList(controllers),
    providers: [
      ...(definition.providers ?? []),
      ...a2aProviders({
        agentPath,
        executor: extras.executor,
        controllers,
        authentication,
        skills: extras.skills,
        providers,
      }),
    ],
    exports: exportedTokens(providers),
  };
}

/**
 * What Nest would make of something that is no class says nothing about the mistake. Whether a class has the method
 * shows in what it makes: it may be a property.
 */
function checkExecutorClass(executor: A2AModuleExtras['executor']): void {
  if (typeof executor !== 'function') return;
  const prototype: unknown = executor.prototype;
  if (typeof prototype === 'object' && prototype !== null) return;
  throw new A2AConfigurationError([{ option: 'executor', description: notAnExecutorMessage() }]);
}
