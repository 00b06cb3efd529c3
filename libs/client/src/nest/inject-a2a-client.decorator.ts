import { Inject } from '@nestjs/common';
import { getA2AClientToken } from './a2a-client.tokens.js';

/**
 * Injects the client of an agent.
 *
 * ```ts
 * constructor(@InjectA2AClient('weather') private readonly weather: A2AClient) {}
 * ```
 *
 * @param name as in `A2AClientModule.forFeature`; without it: the client that has no agent yet, for `client.at(url)`
 * @param root as in `A2AClientModule.forRoot`, where an app has several
 * @publicApi
 */
export function InjectA2AClient(name?: string, root?: string): ReturnType<typeof Inject> {
  return Inject(getA2AClientToken(name, root));
}
