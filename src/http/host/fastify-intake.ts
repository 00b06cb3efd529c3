import type { Readable } from 'node:stream';
import { a2aRouteIn, a2aRouteOf } from './a2a-route.js';
import type { A2ARoute } from './a2a-route.js';
import { stateOf } from './http-intake.js';
import { sendAnswer } from './http-reply.js';
import { pathOf } from './raw-http.js';
import type { RawRequest, ReplyShape } from './raw-http.js';
import { leaveBody, refusalOf, resolveRequest, takeIn } from './request-intake.js';

interface FastifyRequestShape {
  readonly raw: RawRequest;
}

type Done = (error?: null, payload?: Readable) => void;
type Hook = (request: FastifyRequestShape, reply: ReplyShape, done: Done) => void;
type PayloadHook = (request: FastifyRequestShape, reply: ReplyShape, payload: Readable, done: Done) => void;

interface RouteOptionsShape {
  method: string | string[];
  url: string;
  handler: unknown;
  config?: unknown;
  constraints?: Record<string, unknown>;
  schema?: unknown;
  onRequest?: unknown;
  preParsing?: unknown;
  preValidation?: unknown;
}

/** What we use of a Fastify instance. */
export interface FastifyShape {
  addHook(name: 'onRoute', hook: (route: RouteOptionsShape) => void): unknown;
  route(options: RouteOptionsShape): unknown;
  hasRoute(options: { method: string; url: string; constraints?: Record<string, unknown> }): boolean;
  readonly initialConfig?: unknown;
}

/** The mounted paths of our routes, as Fastify was given them. */
export class FastifyRoutes {
  private readonly paths = new Map<A2ARoute, Set<string>>();

  add(route: A2ARoute, path: string): void {
    const known = this.paths.get(route);
    if (known) known.add(path);
    else this.paths.set(route, new Set([path]));
  }

  pathsOf(route: A2ARoute): string[] {
    return [...(this.paths.get(route) ?? [])];
  }
}

/** Hangs the intake into every route of ours that is registered from now on; no other route is touched. */
export function installOnFastify(adapter: object, instance: FastifyShape): FastifyRoutes {
  const routes = new FastifyRoutes();
  const twins = new Set<string>();
  const mounting = watchAll(adapter);
  instance.addHook('onRoute', (options) => {
    const handler = mounting() ?? options.handler;
    const route = a2aRouteIn(options.config) ?? a2aRouteOf(handler);
    if (route === undefined) return;
    keepVersion(options, handler);
    if (!twins.has(options.url)) {
      routes.add(route, options.url);
      addTwin(instance, options, twins);
    }
    hook(options, route);
  });
  return routes;
}

/**
 * Tells which handler is being mounted with `@All()`. On Nest 11 that carries neither config nor version to the route,
 * and from 11.2 on wraps the handler, so that its metadata is out of reach as well.
 */
function watchAll(adapter: object): () => unknown {
  let handler: unknown;
  const all: unknown = 'all' in adapter ? adapter.all : undefined;
  if (typeof all === 'function') {
    const value = (...args: unknown[]): unknown => {
      handler = args.at(-1);
      try {
        return Reflect.apply(all, adapter, args);
      } finally {
        handler = undefined;
      }
    };
    Object.defineProperty(adapter, 'all', { value, configurable: true, writable: true });
  }
  return () => handler;
}

function hook(options: RouteOptionsShape, route: A2ARoute): void {
  const onRequest: Hook = (request, reply, done) => {
    const { raw } = request;
    const { match } = resolveRequest(route, raw);
    if (match.kind === 'match') return done();
    leaveBody(route, raw, reply.raw);
    sendAnswer(reply, refusalOf(route, match, raw));
  };
  const preParsing: PayloadHook = (request, reply, payload, done) => {
    const { raw } = request;
    const state = stateOf(raw);
    if (state === undefined) return done(null, payload);
    takeIn(route, state, raw, payload, reply.raw, () => {
      hideHeaders(raw);
      done(null, payload);
    });
  };
  const preValidation: Hook = (request, _reply, done) => {
    showHeaders(request.raw);
    done();
  };
  options.onRequest = listOf(options.onRequest).concat(onRequest);
  options.preParsing = listOf(options.preParsing).concat(preParsing);
  options.preValidation = [preValidation, ...listOf(options.preValidation)];
}

const HIDDEN = Symbol('nestjs-a2a.headers');
const BODY_HEADERS = ['content-type', 'content-length', 'transfer-encoding', 'content-encoding'] as const;

interface HidesHeaders {
  [HIDDEN]?: readonly (string | undefined)[];
}

/** Takes the headers away by which Fastify looks for a body to parse: ours is read already. */
function hideHeaders(raw: RawRequest & HidesHeaders): void {
  const { headers } = raw;
  raw[HIDDEN] = BODY_HEADERS.map((name) => headers[name]);
  for (const name of BODY_HEADERS) if (headers[name] !== undefined) headers[name] = undefined;
}

function showHeaders(raw: RawRequest & HidesHeaders): void {
  raw[HIDDEN]?.forEach((value, index) => {
    if (value !== undefined) raw.headers[BODY_HEADERS[index]] = value;
  });
}

/** Express takes a path with and without a slash at its end; Fastify has to be told. */
function addTwin(instance: FastifyShape, options: RouteOptionsShape, twins: Set<string>): void {
  const { method, url, handler, config, constraints, schema } = options;
  if (url === '/' || url === '' || ignoresTrailingSlash(instance.initialConfig)) return;
  const twin = url.endsWith('/') ? pathOf(url) : `${url}/`;
  const methods = (Array.isArray(method) ? method : [method]).filter(
    (name) => !instance.hasRoute({ method: name, url: twin, constraints }),
  );
  if (methods.length === 0) return;
  twins.add(twin);
  instance.route({
    method: methods,
    url: twin,
    handler,
    config,
    constraints,
    ...(schema === undefined ? {} : { schema }),
  });
}

function keepVersion(options: RouteOptionsShape, handler: unknown): void {
  if (typeof handler !== 'function' || !('version' in handler)) return;
  const { version } = handler;
  // VERSION_NEUTRAL is a symbol and constrains nothing.
  if (options.constraints?.['version'] !== undefined || (typeof version !== 'string' && !Array.isArray(version)))
    return;
  options.constraints = { ...options.constraints, version };
}

function ignoresTrailingSlash(config: unknown): boolean {
  if (typeof config !== 'object' || config === null) return false;
  if ('ignoreTrailingSlash' in config && config.ignoreTrailingSlash === true) return true;
  return 'routerOptions' in config && ignoresTrailingSlash(config.routerOptions);
}

function listOf(hooks: unknown): unknown[] {
  if (hooks === undefined || hooks === null) return [];
  return Array.isArray(hooks) ? hooks : [hooks];
}
