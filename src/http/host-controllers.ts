import { JsonRpcExceptionFilter, RestExceptionFilter } from './a2a-exception.filter.js';
import type { AgentControllers } from './agent-controllers.types.js';
import { CardHandler } from './card/card.handler.js';
import { cardRoute } from './card/card.route.js';
import { JwksHandler } from './card/jwks.handler.js';
import { createController } from './controller.factory.js';
import { A2ARouteSettings } from './host/a2a-route.js';
import { JsonRpcHandler } from './json-rpc/json-rpc.handler.js';
import { jsonRpcRoute } from './json-rpc/json-rpc.route.js';
import { RestHandler } from './rest/rest.handler.js';
import { restRoute } from './rest/rest.route.js';
import { REST_PATHS, SLASH_ALIAS_PATHS, underTenant, type RestPath } from './rest/rest-routes.js';

const routeSettings = new A2ARouteSettings();
const rpc = jsonRpcRoute(routeSettings);
const card = cardRoute(routeSettings);
const jwks = cardRoute(routeSettings);
const handlersOf = (paths: readonly RestPath[]) =>
  paths.map((path) => ({ name: path.name, pattern: path.pattern, route: restRoute(path, routeSettings) }));
const rest = handlersOf(REST_PATHS);

/**
 * Base of a JSON-RPC controller of the host's own, with the host's own decorators:
 *
 * ```ts
 * @Controller('a2a/jsonrpc')
 * @UseGuards(JwtAuthGuard)
 * export class MyJsonRpcController extends A2AJsonRpcController {}
 * ```
 *
 * Use it with `forRoot({ controllers: false })`, in a module that imports the A2A module; one agent an app.
 *
 * @publicApi
 */
export abstract class A2AJsonRpcController extends createController({
  name: 'A2AJsonRpcController',
  handlers: [{ name: 'call', pattern: '', route: rpc }],
  sink: JsonRpcHandler,
  filter: JsonRpcExceptionFilter,
}) {}

/**
 * Base of a controller of the HTTP+JSON binding; see {@link A2AJsonRpcController}.
 *
 * @publicApi
 */
export abstract class A2ARestController extends createController({
  name: 'A2ARestController',
  handlers: rest,
  sink: RestHandler,
  filter: RestExceptionFilter,
}) {}

/**
 * Base of a controller of the slash aliases, at the same path as {@link A2ARestController}.
 *
 * @publicApi
 */
export abstract class A2ASlashAliasController extends createController({
  name: 'A2ASlashAliasController',
  handlers: handlersOf(SLASH_ALIAS_PATHS),
  sink: RestHandler,
  filter: RestExceptionFilter,
}) {}

/**
 * Base of a controller of the routes with a tenant in the path, at the same path as {@link A2ARestController} and
 * declared behind it.
 *
 * @publicApi
 */
export abstract class A2ATenantController extends createController({
  name: 'A2ATenantController',
  handlers: handlersOf(REST_PATHS.map(underTenant)),
  sink: RestHandler,
  filter: RestExceptionFilter,
}) {}

/**
 * Base of a controller of the agent card; mount it at `.well-known`.
 *
 * @publicApi
 */
export abstract class A2AAgentCardController extends createController({
  name: 'A2AAgentCardController',
  handlers: [{ name: 'card', pattern: 'agent-card.json', route: card }],
  sink: CardHandler,
  filter: RestExceptionFilter,
}) {}

/**
 * Base of a controller of the public keys that cards are signed with (`cardSigning`); mount it where `jwksPath` says.
 *
 * @publicApi
 */
export abstract class A2AJwksController extends createController({
  name: 'A2AJwksController',
  handlers: [{ name: 'jwks', pattern: '', route: jwks }],
  sink: JwksHandler,
  filter: RestExceptionFilter,
}) {}

/** What stands for the controllers of an agent whose host brings its own. */
export function hostControllers(): AgentControllers {
  const [message] = rest;
  if (message === undefined) throw new Error('The REST binding has no paths');
  return { routes: { jsonRpcRoute: rpc, restRoute: message.route, cardRoute: card, jwksRoute: jwks }, routeSettings };
}
