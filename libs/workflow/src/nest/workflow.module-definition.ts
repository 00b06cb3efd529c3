import { ConfigurableModuleBuilder, type DynamicModule, type InjectionToken, type Provider } from '@nestjs/common';
import type { WorkflowModuleExtras, WorkflowModuleOptions } from './workflow-module.options.js';
import { WorkflowRunner } from './workflow-runner.js';
import { WorkflowHealthIndicator } from './workflow.health-indicator.js';
import { engineProviders } from './workflow.providers.js';
import { WORKFLOW_OPTIONS } from './workflow.tokens.js';

const NO_EXTRAS: WorkflowModuleExtras = { isGlobal: true, imports: [], providers: [], observers: [] };

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<WorkflowModuleOptions>({
    moduleName: 'Workflow',
    optionsInjectionToken: WORKFLOW_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createWorkflowOptions')
    .setExtras<WorkflowModuleExtras>(NO_EXTRAS, withExtras)
    .build();

function withExtras(definition: DynamicModule, extras: WorkflowModuleExtras): DynamicModule {
  const { isGlobal = true, imports = [], providers = [], observers = [] } = extras;
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), ...imports],
    // The later of two for one token counts: what the host gives.
    providers: [...(definition.providers ?? []), ...engineProviders(observers), ...providers],
    exports: [WorkflowRunner, WorkflowHealthIndicator, ...providers.map(tokenOf)],
  };
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}
