import type { Type } from '@nestjs/common';
import { RestExceptionFilter } from '../a2a-exception.filter.js';
import { createController } from '../controller.factory.js';
import type { A2ARouteSettings } from '../host/a2a-route.js';
import type { LegacyControllers } from './legacy-controllers.types.js';
import { LegacyCardHandler } from './legacy-card.handler.js';
import { LegacyExceptionFilter } from './legacy-exception.filter.js';
import { LegacyHandler } from './legacy.handler.js';
import { legacyCardRoute, legacyRoute, type LegacyPlace } from './legacy.route.js';

/** @param guarded puts the agent's guards on a controller */
export function createLegacyControllers(
  settings: A2ARouteSettings,
  guarded: <T extends Type<object>>(controller: T) => T,
): LegacyControllers {
  const exchange = (name: string, place: LegacyPlace): Type<object> =>
    guarded(
      createController({
        name,
        // What else there is at its root is the host's: a page, most likely.
        handlers: [{ name: 'call', pattern: '', route: legacyRoute(place, settings), postOnly: place === 'root' }],
        sink: LegacyHandler,
        filter: LegacyExceptionFilter,
      }),
    );
  const cardRoute = legacyCardRoute(settings);
  return {
    aliases: exchange('A2ALegacyController', 'alias'),
    root: exchange('A2ALegacyRootController', 'root'),
    card: createController({
      name: 'A2ALegacyCardController',
      handlers: [{ name: 'card', pattern: '', route: cardRoute }],
      sink: LegacyCardHandler,
      filter: RestExceptionFilter,
    }),
    cardRoute,
  };
}
