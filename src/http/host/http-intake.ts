import type { RouteMatch } from './a2a-route.js';
import { rawRequestOf } from './raw-http.js';
import type { RawRequest } from './raw-http.js';

/** What came of reading a request's body. */
export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; /** Bytes after decompression. */ readonly bytes: number }
  | { readonly kind: 'too-large'; readonly limit: number }
  /** Invalid UTF-8 or broken compression. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unsupported-encoding'; readonly encoding: string }
  /** The client stopped sending. */
  | { readonly kind: 'timeout' };

/** What happened to a request before any guard, pipe or handler saw it. */
export interface HttpIntake {
  /** The `target` that the route resolved the request to. */
  readonly target: unknown;
  /** The content type as the client sent it. */
  readonly contentType: string | undefined;
  /** Replaced by {@link releaseBody} once it was read. */
  body: RequestBody;
  /** The URL as the client sent it. */
  readonly rawUrl: string;
  /** What an answer must name: the id of a JSON-RPC call, as soon as it is known. */
  callId?: string | number | null;
}

/** What we know of a request on its way to the handler. */
export interface RequestState {
  readonly match: RouteMatch;
  intake?: HttpIntake;
}

// A property, not a WeakMap: this is on the path of every request, and ends with it all the same.
const STATE = Symbol('nestjs-a2a.request');

interface CarriesState {
  [STATE]?: RequestState;
}

/** The intake of an Express or Fastify request; `undefined` when the request was not for one of our handlers. */
export function intakeOf(request: object): HttpIntake | undefined {
  const raw = rawRequestOf(request);
  return raw && stateOf(raw)?.intake;
}

/** What is known of a request so far. */
export function stateOf(raw: RawRequest & CarriesState): RequestState | undefined {
  return raw[STATE];
}

/** Begins to know of a request. */
export function beginState(raw: RawRequest & CarriesState, match: RouteMatch): RequestState {
  return (raw[STATE] = { match });
}

const RELEASED: RequestBody = { kind: 'none' };

/** Lets go of a body's text, which would otherwise live as long as its request: as long as the work may take. */
export function releaseBody(intake: HttpIntake): void {
  intake.body = RELEASED;
}
