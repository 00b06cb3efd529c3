import type { A2ARoute, A2ARouteSettings, RouteMatch } from '../host/a2a-route.js';
import { refusal } from '../rest/rest-answers.js';

/** The route of the agent card. */
export function cardRoute(settings: A2ARouteSettings): A2ARoute {
  return {
    settings,
    resolve: ({ method }): RouteMatch =>
      method === 'GET' || method === 'HEAD'
        ? { kind: 'match', target: undefined }
        : { kind: 'method-not-allowed', allow: ['GET', 'HEAD'] },
    refuse: (match, accept) => refusal(match, accept, settings.specRevision),
  };
}
