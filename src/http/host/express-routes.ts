import { a2aRouteOf } from './a2a-route.js';
import type { A2ARoute } from './a2a-route.js';

/** A middleware or handler of Express. */
export type ExpressHandler = (request: object, response: object, next: () => void) => void;

interface ExpressRoute {
  readonly path: unknown;
  readonly methods: Record<string, boolean>;
  readonly stack: { readonly handle: unknown }[];
  all(handler: ExpressHandler): unknown;
}

interface RouteLayer {
  readonly route: ExpressRoute;
  match(path: string): unknown;
}

interface OwnLayer {
  readonly layer: RouteLayer;
  readonly route: A2ARoute;
  /** How many of the host's routes come before this one. */
  readonly hostRoutesBefore: number;
}

/**
 * Our routes in an Express router. A request is first held against our own few routes; only when one matches, the
 * host's routes before it are asked whether one of them would take the request.
 */
export class ExpressRoutes {
  private own: OwnLayer[] = [];
  private hosts: RouteLayer[] = [];
  private seen = -1;
  private readonly fronted = new WeakSet<ExpressRoute>();

  /** @param front makes the handler that is put before the handlers of one of our routes */
  constructor(
    private readonly app: unknown,
    private readonly front: (route: A2ARoute) => ExpressHandler,
  ) {}

  /** The route of ours that the router would give the request to. */
  find(method: string, path: string): A2ARoute | undefined {
    this.refresh();
    const key = method.toLowerCase();
    for (const { layer, route, hostRoutesBefore } of this.own) {
      if (!takes(layer, key, path)) continue;
      for (let index = 0; index < hostRoutesBefore; index++) {
        if (takes(this.hosts[index], key, path)) return undefined;
      }
      return route;
    }
    return undefined;
  }

  /** The full paths that a route of ours is mounted under. */
  pathsOf(route: A2ARoute): string[] {
    this.refresh();
    const paths = new Set<string>();
    for (const own of this.own) {
      if (own.route === route && typeof own.layer.route.path === 'string') paths.add(own.layer.route.path);
    }
    return [...paths];
  }

  private refresh(): void {
    const stack = stackOf(this.app);
    // Layers are only ever added, so the length tells whether the list is still right.
    if (stack.length === this.seen) return;
    this.seen = stack.length;
    this.own = [];
    this.hosts = [];
    for (const layer of stack) {
      if (!isRouteLayer(layer)) continue;
      const route = ownRouteOf(layer);
      if (route === undefined) {
        this.hosts.push(layer);
        continue;
      }
      this.own.push({ layer, route, hostRoutesBefore: this.hosts.length });
      this.putInFront(layer.route, route);
    }
  }

  private putInFront(mounted: ExpressRoute, route: A2ARoute): void {
    if (this.fronted.has(mounted)) return;
    this.fronted.add(mounted);
    const { _all: takesAll } = mounted.methods;
    mounted.all(this.front(route));
    // What the host has on the same path for other methods is the host's.
    if (takesAll !== true) delete mounted.methods['_all'];
    const added = mounted.stack.pop();
    if (added) mounted.stack.unshift(added);
  }
}

function ownRouteOf(layer: RouteLayer): A2ARoute | undefined {
  for (const { handle } of layer.route.stack) {
    const route = a2aRouteOf(handle);
    if (route) return route;
  }
  return undefined;
}

function takes(layer: RouteLayer, method: string, path: string): boolean {
  const { methods } = layer.route;
  if (!methods[method] && !methods['_all'] && !(method === 'head' && methods['get'])) return false;
  try {
    return Boolean(layer.match(path));
  } catch {
    // A bad percent-escape; the router reports it itself.
    return false;
  }
}

function stackOf(app: unknown): readonly unknown[] {
  if (typeof app !== 'function' || !('router' in app)) return [];
  const { router } = app;
  if (typeof router !== 'function' || !('stack' in router)) return [];
  return Array.isArray(router.stack) ? router.stack : [];
}

function isRouteLayer(layer: unknown): layer is RouteLayer {
  return (
    typeof layer === 'object' &&
    layer !== null &&
    'match' in layer &&
    typeof layer.match === 'function' &&
    'route' in layer &&
    typeof layer.route === 'object' &&
    layer.route !== null &&
    'stack' in layer.route &&
    Array.isArray(layer.route.stack)
  );
}
