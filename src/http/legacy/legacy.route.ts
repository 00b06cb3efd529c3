import { InvalidRequestError, JSON_MEDIA_TYPE, olderFailure } from 'nestjs-a2a/protocol';
import type { A2ARoute, A2ARouteSettings, HttpAnswer, RouteMatch } from '../host/a2a-route.js';

const POST = ['POST'];
const READ = ['GET', 'HEAD'];

/** What a path of older peers is: one of their own, or the agent's root, which others call as well. */
export type LegacyPlace = 'alias' | 'root';

/** A route of the older exchange. */
export function legacyRoute(place: LegacyPlace, settings: A2ARouteSettings): A2ARoute {
  return {
    settings,
    resolve: ({ method }): RouteMatch<LegacyPlace> =>
      method === 'POST' ? { kind: 'match', target: place } : { kind: 'method-not-allowed', allow: POST },
    refuse: () => refusal(POST, olderFailure(null, new InvalidRequestError('Older peers are heard with POST'))),
  };
}

/** The route of the older card. */
export function legacyCardRoute(settings: A2ARouteSettings): A2ARoute {
  return {
    settings,
    resolve: ({ method }): RouteMatch =>
      READ.includes(method) ? { kind: 'match', target: undefined } : { kind: 'method-not-allowed', allow: READ },
    refuse: () => refusal(READ, JSON.stringify({ error: 'The agent card is read with GET' })),
  };
}

function refusal(allow: readonly string[], body: string): HttpAnswer {
  return { status: 405, headers: { 'content-type': JSON_MEDIA_TYPE, allow: allow.join(', ') }, body };
}
