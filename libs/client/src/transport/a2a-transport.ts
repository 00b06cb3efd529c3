import type { A2AMethod } from 'nestjs-a2a/protocol';
import type { ClientHttp, ClientHttpAnswer, ClientHttpLimits } from '../http/client-http.js';

/** What goes with a call besides its params. */
export interface TransportCallOptions {
  /** Added to the binding's own, e.g. `A2A-Extensions`. */
  headers?: Readonly<Record<string, string>>;
  /** Ends the call; its reason is thrown. */
  signal?: AbortSignal;
  limits?: ClientHttpLimits;
}

/** What goes with a call that streams. */
export interface TransportStreamOptions extends TransportCallOptions {
  /** Id of the last frame that was seen: the agent goes on after it, if it can. */
  lastEventId?: string;
  /** Longest frame, in UTF-16 units. Default: 16 Mi. */
  maxFrameLength?: number;
}

/** A frame of a stream, its content not yet read. */
export interface WireFrame {
  /** The frame's own id, where the agent gives one. */
  id?: string;
  /** As on the wire: `{ task }`, `{ message }`, `{ statusUpdate }` or `{ artifactUpdate }`. */
  response: unknown;
  /** The stream ended without the frame's own ending: it may have been cut right here. */
  unfinished?: boolean;
  /** The agent has said that nothing comes after this frame. */
  last?: boolean;
}

/** The methods that stream. */
export type StreamingMethod = 'SendStreamingMessage' | 'SubscribeToTask';

/**
 * Speaks one protocol binding with one interface of an agent.
 *
 * @publicApi
 */
export interface A2ATransport {
  /** As in the card, e.g. `JSONRPC`. */
  readonly binding: string;

  /**
   * Makes one call and returns its result as on the wire.
   *
   * @throws A2AError what the agent answered
   */
  call(method: A2AMethod, params: object, options: TransportCallOptions): Promise<unknown>;

  /**
   * Opens a stream. Leaving the iteration closes it.
   *
   * @throws A2AError what the agent answered, instead of the stream or in it
   */
  stream(method: StreamingMethod, params: object, options: TransportStreamOptions): AsyncIterable<WireFrame>;

  /** Ends what is open. */
  close(): void;
}

/** What a transport is made for. */
export interface TransportContext {
  /** Of the chosen interface. */
  url: string;
  /** Of the chosen interface; empty when it names none. */
  tenant: string;
  /** Of the chosen interface, as its card writes it. */
  protocolVersion: string;
  http: ClientHttp;
  /**
   * Makes an error of an answer, or of a frame of a stream, in place of the binding; `undefined`: the binding reads it.
   * Default: the binding reads everything.
   */
  readFailure?: FailureReader;
}

/**
 * Is this content an error, and which one?
 *
 * @param body JSON; text where it is none
 * @param head of the HTTP answer
 */
export type FailureReader = (body: unknown, head: Pick<ClientHttpAnswer, 'status' | 'headers'>) => Error | undefined;

/**
 * Makes transports for one binding. Give your own to the client for bindings it does not know.
 *
 * @publicApi
 */
export interface A2ATransportFactory {
  /** As in the card; letter case does not count. */
  readonly binding: string;
  /** Of the interfaces it is for, `Major.Minor`. Default: 1.0. */
  readonly protocolVersion?: string;
  create(context: TransportContext): A2ATransport;
}
