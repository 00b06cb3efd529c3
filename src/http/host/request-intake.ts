import { AsyncResource } from 'node:async_hooks';
import type { Readable } from 'node:stream';
import type { A2ARoute, HttpAnswer, RouteMatch } from './a2a-route.js';
import { abandonBody } from './body-rest.js';
import { readBody } from './body-reader.js';
import { beginState } from './http-intake.js';
import type { RequestState } from './http-intake.js';
import { mayHaveBody, pathOf, rawUrlOf } from './raw-http.js';
import type { RawRequest, RawResponse } from './raw-http.js';

/** A refusal by a route. */
export type RefusedMatch = Exclude<RouteMatch, { kind: 'match' }>;

/** Asks the route what a request is. */
export function resolveRequest(route: A2ARoute, request: RawRequest): RequestState {
  const path = pathOf(rawUrlOf(request));
  return beginState(request, route.resolve({ method: request.method ?? 'GET', path }));
}

/** Reads the body of a matched request, keeps the intake, and goes on; not when the client leaves meanwhile. */
export function takeIn(
  route: A2ARoute,
  state: RequestState,
  request: RawRequest,
  source: Readable,
  response: RawResponse,
  next: (consumed: boolean) => void,
): void {
  const { match } = state;
  const target = match.kind === 'match' ? match.target : undefined;
  const rawUrl = rawUrlOf(request);
  const contentType = request.headers['content-type'];
  // Stream events do not carry the caller's async context (request-scoped storage of the host). Not `bind()`, which
  // costs more than all the rest of this on Node 20.
  const scope = mayHaveBody(request) ? new AsyncResource('A2A_INTAKE', MANUAL) : undefined;
  readBody(request, source, {
    limit: route.settings.maxRequestBytes,
    done: (body, consumed) => {
      state.intake = { target, contentType, body, rawUrl };
      if (!consumed) abandonBody(request, response);
      if (scope === undefined) return next(consumed);
      scope.runInAsyncScope(next, undefined, consumed);
      scope.emitDestroy();
    },
  });
}

/** The answer to a request that is none of the route's operations. */
export function refusalOf(route: A2ARoute, match: RefusedMatch, request: RawRequest): HttpAnswer {
  const { accept } = request.headers;
  if (match.kind === 'not-found') return route.refuse(match, accept);
  const allow = match.allow.join(', ');
  if (request.method === 'OPTIONS') return { status: 204, headers: { allow }, body: '' };
  const answer = route.refuse(match, accept);
  return { ...answer, headers: { allow, ...answer.headers } };
}

/** Leaves the body of a refused request: a short one to Node, which reads it on, any other to an end in bounds. */
export function leaveBody(route: A2ARoute, request: RawRequest, response: RawResponse): void {
  if (!mayHaveBody(request)) return;
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (length <= Math.min(route.settings.maxRequestBytes, SHORT_BODY)) return;
  abandonBody(request, response);
}

const SHORT_BODY = 1024 * 1024;
const MANUAL = { requireManualDestroy: true };
