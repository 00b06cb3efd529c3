import type { A2ARoute } from './a2a-route.js';
import { hideBody } from './body-rest.js';
import { stateOf } from './http-intake.js';
import type { RequestBody } from './http-intake.js';
import { sendAnswer } from './http-reply.js';
import { ExpressRoutes } from './express-routes.js';
import type { ExpressHandler } from './express-routes.js';
import { pathOf, rawRequestOf, rawResponseOf, rawUrlOf } from './raw-http.js';
import { leaveBody, refusalOf, resolveRequest, takeIn } from './request-intake.js';

/** What we use of Nest's Express adapter. */
export interface ExpressAdapterShape {
  use(handler: ExpressHandler): unknown;
  getInstance(): unknown;
}

/**
 * Puts the intake before everything the host adds with `use()`, its body parsers too. The answer to what is none of our
 * operations is only given at the route, so that the host's CORS has spoken by then.
 */
export function installOnExpress(adapter: ExpressAdapterShape): ExpressRoutes {
  const routes = new ExpressRoutes(adapter.getInstance(), atRoute);
  adapter.use((req, res, next) => {
    const raw = rawRequestOf(req);
    const route = raw && routes.find(raw.method ?? 'GET', pathOf(raw.url ?? '/'));
    if (raw === undefined || route === undefined) return next();
    const state = resolveRequest(route, raw);
    if (state.match.kind !== 'match') {
      hideBody(raw);
      return next();
    }
    takeIn(route, state, raw, raw, rawResponseOf(res), () => {
      hideBody(raw);
      next();
    });
  });
  return routes;
}

/** The first handler of each of our routes. */
function atRoute(route: A2ARoute): ExpressHandler {
  return (req, res, next) => {
    const raw = rawRequestOf(req);
    if (raw === undefined) return next();
    // No state yet: a handler of the host on the same path would have taken the request, but passed it on.
    const known = stateOf(raw);
    const state = known ?? resolveRequest(route, raw);
    if (state.match.kind !== 'match') {
      leaveBody(route, raw, rawResponseOf(res));
      return sendAnswer(res, refusalOf(route, state.match, raw));
    }
    if (known) return next();
    if (!raw.readableEnded) return takeIn(route, state, raw, raw, rawResponseOf(res), () => next());
    state.intake = {
      target: state.match.target,
      contentType: raw.headers['content-type'],
      body: bodyAgain('body' in req ? req.body : undefined),
      rawUrl: rawUrlOf(raw),
    };
    next();
  };
}

/** A body that the host's parsers have had; its text is gone. */
function bodyAgain(parsed: unknown): RequestBody {
  const text = JSON.stringify(parsed);
  return text === undefined ? { kind: 'none' } : { kind: 'text', text, bytes: Buffer.byteLength(text) };
}
