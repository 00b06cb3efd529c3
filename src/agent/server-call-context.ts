import type { A2AUser } from '../authorization/a2a-user.js';

/** The binding a call came in by. */
export type CallBinding = 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | 'IN_PROCESS';

/** Whether the caller still waits for the answer. */
export interface CallerPresence {
  readonly gone: boolean;
  /** Aborted when the caller is gone before the answer was complete. */
  readonly signal: AbortSignal;
  /**
   * Calls back when the caller goes; at once if it has gone.
   *
   * @returns takes the listener away
   */
  onGone(listener: () => void): () => void;
}

const NONE: readonly string[] = [];

/** What a call is built from. */
export interface ServerCall {
  readonly user: A2AUser;
  readonly tenant: string;
  readonly protocolVersion: string;
  readonly binding: CallBinding;
  /** Extension URIs that the caller asked for and the card declares. */
  readonly requestedExtensions: readonly string[];
  /** Lower-cased names; credentials are in here, so never log it. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The host framework's request, for request-scoped providers. */
  readonly request?: object;
  /** Absent where a caller cannot leave. */
  readonly caller?: CallerPresence;
}

/**
 * Who calls, and how: one for each call.
 *
 * @publicApi
 */
export class ServerCallContext {
  readonly user: A2AUser;
  /** The tenant that the call names, `''` when it names none. */
  readonly tenant: string;
  /** `Major.Minor` of the protocol that the caller speaks. */
  readonly protocolVersion: string;
  readonly binding: CallBinding;
  readonly requestedExtensions: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly request: object | undefined;
  /** Whether the caller still waits; absent where callers cannot leave. The task goes on all the same. */
  readonly caller: CallerPresence | undefined;
  // Made for those few calls that need them.
  private notes: Map<string, unknown> | undefined;
  private activated: Set<string> | undefined;

  constructor(call: ServerCall) {
    this.user = call.user;
    this.tenant = call.tenant;
    this.protocolVersion = call.protocolVersion;
    this.binding = call.binding;
    this.requestedExtensions = call.requestedExtensions;
    this.headers = call.headers;
    this.request = call.request;
    this.caller = call.caller;
  }

  /** Room for the host: guards, interceptors and the executor may keep things here for the time of the call. */
  get state(): Map<string, unknown> {
    return (this.notes ??= new Map());
  }

  /**
   * Marks an extension as active, so that the answer names it in `A2A-Extensions`. On a stream that works until the
   * first event, with which the headers leave.
   *
   * @returns false when the caller did not ask for it (or the card does not declare it): nothing is marked then
   */
  activateExtension(uri: string): boolean {
    if (!this.requestedExtensions.includes(uri)) return false;
    (this.activated ??= new Set()).add(uri);
    return true;
  }

  /** The extensions activated so far. */
  get activatedExtensions(): readonly string[] {
    return this.activated === undefined ? NONE : [...this.activated];
  }
}
