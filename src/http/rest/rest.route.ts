import type { A2ARoute, A2ARouteSettings } from '../host/a2a-route.js';
import { refusal } from './rest-answers.js';
import type { RestPath } from './rest-routes.js';

/** One route of the REST binding. */
export function restRoute(path: RestPath, settings: A2ARouteSettings): A2ARoute {
  return {
    settings,
    resolve: (request) => path.resolve(request),
    refuse: (match, accept) => refusal(match, accept, settings.specRevision),
  };
}
