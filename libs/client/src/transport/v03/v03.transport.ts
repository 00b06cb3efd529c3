import {
  A2A_EXTENSIONS_HEADER,
  type A2AMethod,
  UnsupportedOperationError,
  V03_PROTOCOL_VERSION,
} from 'nestjs-a2a/protocol';
import { decoded } from '../../calls/decoded.js';
import type {
  StreamingMethod,
  TransportCallOptions,
  TransportContext,
  TransportStreamOptions,
  WireFrame,
} from '../a2a-transport.js';
import { HttpTransport } from '../http-transport.js';
import { MissingSnapshotError } from '../missing-snapshot.error.js';
import type { V03Dialect, V03Operation } from './v03-operation.js';

const EXTENSIONS = A2A_EXTENSIONS_HEADER.toLowerCase();

/** What the bindings of 0.3 have in common: whoever calls sees 1.0 only. */
export abstract class V03Transport<Written> extends HttpTransport {
  protected abstract readonly dialect: V03Dialect<Written>;

  constructor(context: TransportContext) {
    // It knows no tenants.
    super({ ...context, protocolVersion: V03_PROTOCOL_VERSION, tenant: '' });
  }

  override async call(method: A2AMethod, params: object, options: TransportCallOptions): Promise<unknown> {
    const { read } = this.operationOf(method);
    return decoded(read, await super.call(method, params, options));
  }

  override async *stream(
    method: StreamingMethod,
    params: object,
    { lastEventId: _lastEventId, ...options }: TransportStreamOptions,
  ): AsyncGenerator<WireFrame, void, undefined> {
    const { read } = this.dialect.streams[method];
    let isFirst = true;
    // Ids of its frames mean nothing: its agents do not go on after one.
    for await (const { id: _id, response: written, ...frame } of super.stream(method, params, options)) {
      const { response, final } = decoded(read, written);
      // Some agents tell what comes next only, and so not what came while nobody listened.
      if (isFirst && method === 'SubscribeToTask' && !('task' in response)) throw new MissingSnapshotError();
      isFirst = false;
      yield { ...frame, response, ...(final && { last: true }) };
    }
  }

  /** @throws UnsupportedOperationError for what 0.3 does not have */
  protected operationOf(method: A2AMethod): V03Operation<Written, unknown> {
    const { calls, streams } = this.dialect;
    const isStream = method === 'SendStreamingMessage' || method === 'SubscribeToTask';
    const found = isStream ? streams[method] : calls.get(method);
    if (found !== undefined) return found;
    throw new UnsupportedOperationError(
      `The agent speaks A2A ${V03_PROTOCOL_VERSION}, which has no ${method}: it takes an interface of 1.0`,
    );
  }

  /** It has another name for the header of the extensions. */
  protected override headersOf(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name.toLowerCase() === EXTENSIONS ? `x-${EXTENSIONS}` : name,
        value,
      ]),
    );
  }
}
