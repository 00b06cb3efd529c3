import { ConfigurableModuleBuilder, Inject, Logger, Module, type DynamicModule } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { installHttpIntake } from '../../http/host/http-intake-installer.js';
import type { A2APushReceiverOptions } from './push-receiver.options.js';
import { PushReceiver } from './push-receiver.js';
import { PUSH_ROUTE } from './push-receiver.route.js';
import { PushReceiverSettings } from './push-receiver.settings.js';

const OPTIONS = Symbol('nestjs-a2a.push-receiver-options');

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<A2APushReceiverOptions>({
    moduleName: 'A2APushReceiver',
    optionsInjectionToken: OPTIONS,
  })
    .setExtras({ isGlobal: false }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();

/**
 * Lets the handlers with `@A2APushReceiver()` of the importing module receive push notifications. No body parser has to
 * be set up, and the app needs no agent of its own.
 *
 * ```ts
 * @Module({
 *   imports: [A2APushReceiverModule.register({ token: process.env.PUSH_TOKEN })],
 *   controllers: [HooksController],
 * })
 * export class HooksModule {}
 * ```
 *
 * @publicApi
 */
@Module({
  providers: [
    {
      provide: PushReceiverSettings,
      inject: [OPTIONS],
      useFactory: (options: A2APushReceiverOptions) => new PushReceiverSettings(options),
    },
    {
      provide: PushReceiver,
      inject: [PushReceiverSettings],
      useFactory: (settings: PushReceiverSettings) => new PushReceiver(settings, new Logger('A2APushReceiver')),
    },
  ],
  exports: [PushReceiver],
})
export class A2APushReceiverModule extends ConfigurableModuleClass {
  constructor(
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(PushReceiverSettings) settings: PushReceiverSettings,
  ) {
    super();
    PUSH_ROUTE.settings.raise(settings.maxBytes);
    installHttpIntake(host);
  }

  /** @throws A2AConfigurationError when the app starts, naming every fault at once */
  static override register(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.register(options);
  }

  /** The same with options that come later, from `ConfigService` for example. */
  static override registerAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.registerAsync(options);
  }
}
