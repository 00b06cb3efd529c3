import type { Type } from '@nestjs/common';
import type { A2ARoute, A2ARouteSettings } from './host/a2a-route.js';
import type { LegacyControllers } from './legacy/legacy-controllers.types.js';

/** The routes of one agent by which its interfaces are found. */
export interface AgentRoutes {
  readonly jsonRpcRoute: A2ARoute;
  readonly restRoute: A2ARoute;
  readonly cardRoute: A2ARoute;
  /** That of the public keys. */
  readonly jwksRoute?: A2ARoute;
}

/** The controllers of one agent. Those it has not are the host's own. */
export interface AgentControllers {
  readonly jsonRpc?: Type<object>;
  readonly rest?: Type<object>;
  readonly slashAliases?: Type<object>;
  readonly tenants?: Type<object>;
  readonly tenantAliases?: Type<object>;
  readonly card?: Type<object>;
  readonly jwks?: Type<object>;
  readonly legacy?: LegacyControllers;
  readonly routes: AgentRoutes;
  readonly routeSettings: A2ARouteSettings;
}
