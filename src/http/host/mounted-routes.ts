import type { HttpAdapterHost } from '@nestjs/core';
import type { A2ARoute } from './a2a-route.js';
import { routeRegisterOf } from './http-intake-installer.js';

/**
 * The full paths under which handlers of `route` were really mounted, with global prefix, version and module path, and
 * without the twins that only add a slash. Empty before Nest has registered its routes.
 */
export function mountedPaths(host: HttpAdapterHost, route: A2ARoute): string[] {
  return routeRegisterOf(host)?.pathsOf(route) ?? [];
}
