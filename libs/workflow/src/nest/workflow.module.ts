import { Module, type DynamicModule } from '@nestjs/common';
import type { WorkflowFeatureOptions } from './workflow-module.options.js';
import { ASYNC_OPTIONS_TYPE, ConfigurableModuleClass, OPTIONS_TYPE } from './workflow.module-definition.js';
import { controlPointProvider } from './workflow.providers.js';

/**
 * The workflow engine in a Nest app: inject `WorkflowRunner`.
 *
 * ```ts
 * @Module({
 *   imports: [
 *     WorkflowModule.forRoot({ agentCards: cards }),
 *     WorkflowModule.forFeature({ controlPoints: [RepairDecisions] }),
 *   ],
 *   providers: [Repairs], // constructor(private readonly runner: WorkflowRunner) {}
 * })
 * export class AppModule {}
 * ```
 *
 * Nothing is sent when the app starts. With the app, all runs and connections end.
 *
 * @publicApi
 */
@Module({})
export class WorkflowModule extends ConfigurableModuleClass {
  /**
   * The engine; once in an app, and visible in all of it.
   *
   * @throws WorkflowArgumentError when the app starts, naming the option
   */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** The same with options that come later, from `ConfigService` for example; what shapes the module is given at once. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /**
   * Control points that Nest makes, for runs that ask for them by class or by name. A class among the providers of any
   * module can be asked for as well.
   *
   * @throws WorkflowArgumentError when an entry has no name and is no class
   */
  static forFeature({ controlPoints, imports = [], providers = [] }: WorkflowFeatureOptions): DynamicModule {
    const made = controlPoints.map(controlPointProvider);
    const exports = made.map((provider) => (typeof provider === 'function' ? provider : provider.provide));
    return { module: WorkflowModule, imports: [...imports], providers: [...providers, ...made], exports };
  }
}
