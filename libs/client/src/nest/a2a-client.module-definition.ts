import { ConfigurableModuleBuilder, type DynamicModule } from '@nestjs/common';
import type { A2AClientModuleExtras, A2AClientModuleOptions } from './a2a-client-module.options.js';
import { A2A_CLIENT_OPTIONS, rootExports, rootProviders } from './a2a-client.providers.js';

export const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2AClientModuleOptions>({
    moduleName: 'A2AClient',
    optionsInjectionToken: A2A_CLIENT_OPTIONS,
  })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createA2AClientOptions')
    .setExtras<A2AClientModuleExtras>({ root: undefined }, withExtras)
    .build();

function withExtras(definition: DynamicModule, { root }: A2AClientModuleExtras): DynamicModule {
  return {
    ...definition,
    // forFeature() of every module needs it.
    global: true,
    providers: [...(definition.providers ?? []), ...rootProviders(root)],
    exports: rootExports(root),
  };
}
