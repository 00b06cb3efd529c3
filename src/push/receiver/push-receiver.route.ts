import { A2ARouteSettings, type A2ARoute } from '../../http/host/a2a-route.js';

/** What the intake is given as the target of a notification. */
export const PUSH_TARGET = Symbol('nestjs-a2a.push');

const settings = new A2ARouteSettings();

/**
 * The route of notifications. As one of ours its body is read as it came, before any parser of the host: those know
 * neither `application/a2a+json` nor what a signature covers.
 */
export const PUSH_ROUTE: A2ARoute = {
  settings,
  resolve: ({ method }) =>
    method === 'POST' ? { kind: 'match', target: PUSH_TARGET } : { kind: 'method-not-allowed', allow: ['POST'] },
  refuse: ({ kind }) => ({ status: kind === 'not-found' ? 404 : 405, headers: {}, body: '' }),
};
