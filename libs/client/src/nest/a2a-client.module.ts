import { Module, type DynamicModule } from '@nestjs/common';
import type { A2AAgentAsyncEntry, A2AAgentEntry } from './a2a-client-module.options.js';
import { ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, OPTIONS_TYPE } from './a2a-client.module-definition.js';
import { agentProvider, asyncAgentProviders, checkAgents } from './a2a-client.providers.js';

/**
 * Clients of agents, injected by name.
 *
 * ```ts
 * @Module({
 *   imports: [
 *     A2AClientModule.forRoot(),
 *     A2AClientModule.forFeature([{ name: 'weather', url: 'https://weather.example.com' }]),
 *   ],
 *   providers: [Forecast], // constructor(@InjectA2AClient('weather') weather: A2AClient)
 * })
 * export class AppModule {}
 * ```
 *
 * Nothing is sent when the app starts: an agent is found at the first call. With the app, all calls and connections end.
 *
 * @publicApi
 */
@Module({})
export class A2AClientModule extends ConfigurableModuleClass {
  /**
   * What all clients share; once in an app, and visible in all of it.
   *
   * @param options those of a client, for all agents; `root` names one of several roots
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** The same with options that come later; `root` is given at once. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /**
   * Clients for the importing module, each to be injected with `@InjectA2AClient(name)`. Modules that name an agent alike
   * share its client.
   *
   * @param root as in `forRoot`, where an app has several
   * @throws A2AClientError `INVALID_CONFIGURATION` here or when the app starts
   */
  static forFeature(agents: readonly A2AAgentEntry[], root?: string): DynamicModule {
    checkAgents(agents);
    const providers = agents.map((agent) => agentProvider(agent, root));
    return { module: A2AClientModule, providers, exports: providers };
  }

  /** The same with settings that come later, from `ConfigService` for example; names are given at once. */
  static forFeatureAsync(agents: readonly A2AAgentAsyncEntry[], root?: string): DynamicModule {
    checkAgents(agents);
    const providers = agents.flatMap((agent) => asyncAgentProviders(agent, root));
    const imports = agents.flatMap((agent) => agent.imports ?? []);
    return { module: A2AClientModule, imports, providers, exports: providers };
  }
}
