import { registerAs } from '@nestjs/config';
import type { A2AModuleOptions } from '../a2a.options.js';
import { readA2AEnvironment } from './environment.reader.js';

/**
 * The `a2a` namespace for `@nestjs/config`: what the `A2A_SERVER_*` variables say, `.env` files included. The module
 * checks the values when it starts.
 *
 * @example
 * imports: [ConfigModule.forRoot(), A2AModule.forRootAsync({ ...a2aConfig.asProvider(), executor: RecipeAgent })]
 *
 * @publicApi
 */
export const a2aConfig = registerAs('a2a', (): A2AModuleOptions => readA2AEnvironment(process.env));
