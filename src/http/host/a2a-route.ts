import { SetMetadata } from '@nestjs/common';
import type { SpecRevision } from 'nestjs-a2a/protocol';

/**
 * The metadata key that marks a handler as ours. It is the key Nest copies into the config of a Fastify route, so one
 * key serves both adapters: on Express the metadata is read from the mounted handler itself.
 */
export const A2A_ROUTE_METADATA = '__fastify_route_config__';

/** What a route is resolved by. */
export interface RouteRequest {
  readonly method: string;
  /** The raw path: percent-escapes as sent, no query, no trailing slashes (the root stays `/`). */
  readonly path: string;
}

/** What a route makes of a request, before anyone is authenticated. */
export type RouteMatch<T = unknown> =
  | { readonly kind: 'match'; readonly target: T }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'method-not-allowed'; readonly allow: readonly string[] };

/** A whole answer, ready to be sent. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Settings of a route. Routes are declared with decorators, before any configuration is known, so these are filled when
 * the module is constructed and read anew for each request.
 */
export class A2ARouteSettings {
  /** Decides how refusals look. */
  specRevision: SpecRevision = '1.0.1';

  /** @param maxRequestBytes the most bytes a body may have, as sent and when decompressed */
  constructor(public maxRequestBytes = 0) {}

  /** Lifts the limit to `limit`; never lowers it. */
  raise(limit: number): void {
    if (limit > this.maxRequestBytes) this.maxRequestBytes = limit;
  }
}

/** Decides which requests to a mounted path are operations, and how the others are turned away. */
export interface A2ARoute {
  readonly settings: A2ARouteSettings;
  resolve(request: RouteRequest): RouteMatch;
  /** @param accept the media types that the caller takes, as sent */
  refuse(match: Exclude<RouteMatch, { kind: 'match' }>, accept?: string): HttpAnswer;
}

/** Marks a controller method as a handler of `route`. */
export function A2ARouteHandler(route: A2ARoute): MethodDecorator {
  return SetMetadata(A2A_ROUTE_METADATA, { a2a: route });
}

/** Reads the route out of what {@link A2ARouteHandler} has set, wherever Nest has carried it. */
export function a2aRouteIn(config: unknown): A2ARoute | undefined {
  if (typeof config !== 'object' || config === null || !('a2a' in config)) return undefined;
  return isA2ARoute(config.a2a) ? config.a2a : undefined;
}

/** Reads the route from a handler function that Nest has mounted. */
export function a2aRouteOf(handler: unknown): A2ARoute | undefined {
  return typeof handler === 'function' ? a2aRouteIn(Reflect.getMetadata(A2A_ROUTE_METADATA, handler)) : undefined;
}

function isA2ARoute(value: unknown): value is A2ARoute {
  return (
    typeof value === 'object' &&
    value !== null &&
    'settings' in value &&
    'resolve' in value &&
    typeof value.resolve === 'function' &&
    'refuse' in value &&
    typeof value.refuse === 'function'
  );
}
