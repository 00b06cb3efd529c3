import { abortable } from 'nestjs-a2a/net';
import type { A2AMethod, Decoder } from 'nestjs-a2a/protocol';
import type { ClientHttpLimits } from '../http/client-http.js';
import { LIMIT_NAMES } from '../http/limit-names.js';
import { checkNames, type NamesOf } from '../option-names.js';
import type { A2ATransport, StreamingMethod, WireFrame } from '../transport/a2a-transport.js';
import { AbortableItems } from '../transport/abortable-items.js';
import { HttpTransport } from '../transport/http-transport.js';
import { Backoff, type BackoffOptions } from './backoff.js';
import { CallScope, type Wait, waitByClock } from './call-scope.js';
import { decoded } from './decoded.js';
import { isTemporary, retryAfterOf } from './temporary-failure.js';

/** What may be said twice without harm. */
const SAFE: ReadonlySet<A2AMethod> = new Set<A2AMethod>([
  'GetTask',
  'ListTasks',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'GetExtendedAgentCard',
]);

/** Limits of calls whose answer waits for an agent to work. */
const PATIENT: ClientHttpLimits = { totalTimeoutMs: 0, headersTimeoutMs: 300_000 };

/** What a call may bring along. */
export interface CallOptions {
  /** Ends the call; its reason is thrown. */
  signal?: AbortSignal;
  /** Sent along, e.g. for tracing. */
  headers?: Readonly<Record<string, string>>;
  /** URIs of the protocol extensions this call wants. */
  extensions?: readonly string[];
  /** Instead of the client's. */
  limits?: ClientHttpLimits;
}

const OPTIONS: NamesOf<CallOptions> = { signal: true, headers: true, extensions: true, limits: true };

/** @throws A2AClientError `INVALID_ARGUMENT` */
export function checkCallOptions(options: CallOptions): void {
  checkNames('The options of the call', options, OPTIONS, 'INVALID_ARGUMENT');
  const { limits } = options;
  if (limits !== undefined) checkNames('The limits of the call', limits, LIMIT_NAMES, 'INVALID_ARGUMENT');
}

/** How calls are made. */
export interface AgentCallsOptions {
  readonly limits?: ClientHttpLimits;
  readonly retry: BackoffOptions;
  readonly maxFrameLength?: number;
  readonly wait?: Wait;
  /** Ends all calls. */
  readonly closed?: AbortSignal;
  /** Scheme, host and port of what is called; for errors. */
  readonly place?: string;
  readonly random?: () => number;
}

/** Calls on one transport: limits, retries of what is safe, answers that were checked. */
export class AgentCalls {
  readonly wait: Wait;
  readonly backoff: Backoff;

  constructor(
    private readonly transport: A2ATransport,
    private readonly options: AgentCallsOptions,
  ) {
    this.wait = options.wait ?? waitByClock;
    this.backoff = new Backoff(options.retry, options.random);
  }

  async call<T>(method: A2AMethod, params: object, decode: Decoder<T>, options: CallOptions = {}): Promise<T> {
    checkCallOptions(options);
    const limits = { ...(method === 'SendMessage' ? PATIENT : {}), ...this.options.limits, ...options.limits };
    const scope = this.scopeOf({ signal: options.signal, limits });
    const { signal } = scope;
    const headers = headersOf(options);
    try {
      for (let failures = 1; ; failures += 1) {
        try {
          signal.throwIfAborted();
          // Interceptors, credentials and transports of a host may not listen to the signal.
          const answer = this.transport.call(method, params, { signal, headers, limits });
          return decoded(decode, await abortable(answer, signal));
        } catch (error) {
          const delay =
            SAFE.has(method) && !signal.aborted && isTemporary(error)
              ? this.backoff.delay(failures, retryAfterOf(error))
              : undefined;
          if (delay === undefined) throw error;
          await this.wait(delay, signal);
        }
      }
    } finally {
      scope.end();
    }
  }

  /** What ends a call, or what is made of several. */
  scopeOf({ signal, limits }: Pick<CallOptions, 'signal' | 'limits'>): CallScope {
    const totalTimeoutMs = limits?.totalTimeoutMs ?? this.options.limits?.totalTimeoutMs;
    return new CallScope(signal, totalTimeoutMs, this.options.closed, this.options.place);
  }

  /** Opens one connection of a stream; its total time is the business of whoever holds them together. */
  open(
    method: StreamingMethod,
    params: object,
    { headers, extensions, limits, signal }: CallOptions,
    lastEventId?: string,
  ): AsyncIterable<WireFrame> {
    const frames = this.transport.stream(method, params, {
      headers: headersOf({ headers, extensions }),
      signal,
      limits: { ...PATIENT, ...this.options.limits, ...limits, totalTimeoutMs: 0 },
      maxFrameLength: this.options.maxFrameLength,
      ...(lastEventId !== undefined && { lastEventId }),
    });
    // Ours listen.
    const listens = signal === undefined || this.transport instanceof HttpTransport;
    return listens ? frames : new AbortableItems(frames, signal);
  }
}

function headersOf({ headers = {}, extensions = [] }: Pick<CallOptions, 'headers' | 'extensions'>) {
  return extensions.length === 0 ? headers : { ...headers, 'a2a-extensions': extensions.join(', ') };
}
