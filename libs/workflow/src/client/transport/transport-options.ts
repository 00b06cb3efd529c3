import type { StreamResponse } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../../awaitable.js';
import type { AgentAuthenticator } from '../../credentials/agent-authenticator.js';
import type { WireCorrelation } from '../../logging/wire-log.js';
import type { A2ARuntime } from '../a2a-runtime.js';
import type { ResponseAccumulator } from '../response/response-accumulator.js';

/**
 * What a transport is made with.
 *
 * @publicApi
 */
export interface A2ATransportParts {
  /** Closed with the transport. */
  readonly runtime: A2ARuntime;
  /** Closed with the transport. */
  readonly authenticator: AgentAuthenticator;
}

/**
 * What may go with any call.
 *
 * @publicApi
 */
export interface TransportCall {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** For the wire log. */
  readonly correlation?: WireCorrelation;
}

/**
 * What may go with a call that has several answers.
 *
 * @publicApi
 */
export interface TransportStreamCall extends TransportCall {
  /** Told of each event; the next one waits for it. */
  readonly onEvent?: (event: StreamResponse) => Awaitable<void>;
  /** Whether a stream that breaks after its first event counts as one that ended. Default: false. */
  readonly mayBreak?: boolean;
}

/**
 * What may go with a message.
 *
 * @publicApi
 */
export interface TransportSend extends TransportStreamCall {
  /**
   * Ends the call once the message has left; `signal` no longer does then. For those who still want to learn which task
   * they have begun. Default: `signal`.
   */
  readonly onceSent?: AbortSignal;
  /** Told just before the message leaves. */
  readonly onLeaving?: () => void;
}

/**
 * A stream that stays open until somebody closes it.
 *
 * @publicApi
 */
export interface TransportNotifications extends TransportStreamCall {
  readonly accumulator: ResponseAccumulator;
  /** Told of any sign of life, heartbeats included. */
  readonly onActivity: () => void;
}

/**
 * What is on its way.
 *
 * @publicApi
 */
export interface TransportGauges {
  /** Sends, and questions about tasks. */
  readonly sends: number;
  readonly subscriptions: number;
}
