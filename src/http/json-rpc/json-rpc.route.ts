import { JSON_MEDIA_TYPE, jsonRpcFailure, InvalidRequestError } from 'nestjs-a2a/protocol';
import type { A2ARoute, A2ARouteSettings, HttpAnswer, RouteMatch, RouteRequest } from '../host/a2a-route.js';

const ALLOW = ['POST'];

/** The one route of the JSON-RPC binding. */
export function jsonRpcRoute(settings: A2ARouteSettings): A2ARoute {
  return {
    settings,
    resolve: ({ method }: RouteRequest): RouteMatch =>
      method === 'POST' ? { kind: 'match', target: undefined } : { kind: 'method-not-allowed', allow: ALLOW },
    refuse: (): HttpAnswer => ({
      status: 405,
      headers: { 'content-type': JSON_MEDIA_TYPE, allow: ALLOW.join(', ') },
      body: jsonRpcFailure(null, new InvalidRequestError('JSON-RPC is spoken with POST')),
    }),
  };
}
