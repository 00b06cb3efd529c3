import { Inject, Module, type DynamicModule, type NestModule } from '@nestjs/common';
import { A2ALifecycle } from './a2a.lifecycle.js';
import { requestScopedMessage } from './a2a.messages.js';
import { ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, OPTIONS_TYPE } from './a2a.module-definition.js';
import { A2AConfigurationError } from './config/a2a-configuration.error.js';

/**
 * Puts an agent on the A2A protocol.
 *
 * ```ts
 * @Module({ imports: [A2AModule.forRoot({ agentCard: { name: 'Recipes' }, executor: RecipeAgent })] })
 * export class AppModule {}
 * ```
 *
 * Without options the card is read from `agentcard.json` (or `A2A_SERVER_AGENT_CARD`), and the agent is the one
 * `AgentExecutor` among the app's providers. Several `forRoot()` make several agents, each with a `path` of its own.
 *
 * @publicApi
 */
@Module({})
export class A2AModule extends ConfigurableModuleClass implements NestModule {
  /** @param lifecycle undefined when it depends on a provider that Nest makes anew for each request */
  constructor(@Inject(A2ALifecycle) private readonly lifecycle: A2ALifecycle | undefined) {
    super();
  }

  /**
   * @param options settings (each also from the environment, see `A2AModuleOptions`) and structure
   *   (see `A2AModuleExtras`)
   * @throws A2AConfigurationError when the app starts, naming every fault at once
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** The same with settings that come later, from `ConfigService` for example; structure is given at once. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** Nest calls this just before it registers routes. */
  configure(): void {
    if (this.lifecycle === undefined) {
      throw new A2AConfigurationError([{ option: 'providers', description: requestScopedMessage() }]);
    }
    this.lifecycle.beforeRoutes();
  }
}
