import { UseGuards, type CanActivate, type Type } from '@nestjs/common';
import { JsonRpcExceptionFilter, RestExceptionFilter } from './a2a-exception.filter.js';
import type { AgentControllers } from './agent-controllers.types.js';
import { CardHandler } from './card/card.handler.js';
import { cardRoute } from './card/card.route.js';
import { JwksHandler } from './card/jwks.handler.js';
import { createController, type HandlerDefinition } from './controller.factory.js';
import { A2ARouteSettings } from './host/a2a-route.js';
import { JsonRpcHandler } from './json-rpc/json-rpc.handler.js';
import { jsonRpcRoute } from './json-rpc/json-rpc.route.js';
import { createLegacyControllers } from './legacy/legacy-controllers.js';
import { RestHandler } from './rest/rest.handler.js';
import { restRoute } from './rest/rest.route.js';
import { REST_PATHS, SLASH_ALIAS_PATHS, underTenant, type RestPath } from './rest/rest-routes.js';

/** Makes the controllers of one agent, without paths yet: those may depend on configuration that comes later. */
export function createAgentControllers(guards: readonly Type<CanActivate>[]): AgentControllers {
  const routeSettings = new A2ARouteSettings();
  const rpc = jsonRpcRoute(routeSettings);
  const card = cardRoute(routeSettings);
  const jwks = cardRoute(routeSettings);
  const rest = restHandlers(REST_PATHS, routeSettings);
  const aliases = restHandlers(SLASH_ALIAS_PATHS, routeSettings);
  const [message] = rest;
  if (message === undefined) throw new Error('The REST binding has no paths');
  const guarded = <T extends Type<object>>(controller: T): T => {
    if (guards.length > 0) UseGuards(...guards)(controller);
    return controller;
  };
  const ofRest = (name: string, handlers: HandlerDefinition[]): Type<object> =>
    guarded(createController({ name, handlers, sink: RestHandler, filter: RestExceptionFilter }));
  return {
    jsonRpc: guarded(
      createController({
        name: 'A2AJsonRpcController',
        handlers: [{ name: 'call', pattern: '', route: rpc }],
        sink: JsonRpcHandler,
        filter: JsonRpcExceptionFilter,
      }),
    ),
    rest: ofRest('A2ARestController', rest),
    slashAliases: ofRest('A2ASlashAliasController', aliases),
    // Behind the plain ones, so that a path they know is theirs and not a tenant's.
    tenants: ofRest('A2ATenantController', restHandlers(REST_PATHS.map(underTenant), routeSettings)),
    tenantAliases: ofRest('A2ATenantAliasController', restHandlers(SLASH_ALIAS_PATHS.map(underTenant), routeSettings)),
    // Discovery is open: it tells callers how to prove who they are.
    card: createController({
      name: 'A2AAgentCardController',
      handlers: [{ name: 'card', pattern: 'agent-card.json', route: card }],
      sink: CardHandler,
      filter: RestExceptionFilter,
    }),
    // Open as well: whoever reads the card must be able to check it.
    jwks: createController({
      name: 'A2AJwksController',
      handlers: [{ name: 'jwks', pattern: '', route: jwks }],
      sink: JwksHandler,
      filter: RestExceptionFilter,
    }),
    legacy: createLegacyControllers(routeSettings, guarded),
    routes: { jsonRpcRoute: rpc, restRoute: message.route, cardRoute: card, jwksRoute: jwks },
    routeSettings,
  };
}

/** The controllers in the order in which they are to be registered. */
export function controllerList(controllers: AgentControllers): Type<object>[] {
  const { card, jwks, legacy, jsonRpc, rest, slashAliases, tenants, tenantAliases } = controllers;
  // Older peers first: a path of theirs may look like one with parameters of another binding.
  const older = [legacy?.card, legacy?.aliases, legacy?.root];
  return [card, jwks, ...older, jsonRpc, rest, slashAliases, tenants, tenantAliases].filter(
    (controller) => controller !== undefined,
  );
}

function restHandlers(paths: readonly RestPath[], settings: A2ARouteSettings): HandlerDefinition[] {
  return paths.map((path) => ({ name: path.name, pattern: path.pattern, route: restRoute(path, settings) }));
}
