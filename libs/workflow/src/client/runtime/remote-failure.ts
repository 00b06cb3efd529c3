import { A2AHttpError, type FailureReader } from 'nestjs-a2a/client';
import { isRecord } from 'nestjs-a2a/protocol';
import { readErrorEnvelope } from '../../errors/error-envelope.js';
import { RemoteA2AError } from '../../errors/remote-a2a.error.js';

/** The error in an answer or a frame: an envelope wherever there is one, else what the HTTP status says. */
export const remoteFailure: FailureReader = (body, { status, headers }) => {
  const http = new A2AHttpError(status, headers, `A2A request failed with HTTP ${status}`);
  const envelope = readErrorEnvelope(body);
  if (envelope !== undefined) {
    const { code, status: name, message, details } = envelope;
    return new RemoteA2AError({
      remoteCode: code,
      status: name,
      message,
      details,
      httpStatus: status,
      headers,
      retryAfter: http.retryAfterSeconds,
    });
  }
  if (status >= 200 && status < 300) return undefined;
  // Errors of JSON-RPC have numbers of their own, which the binding knows.
  const isJsonRpc = isRecord(body) && 'jsonrpc' in body && isRecord(body['error']);
  return isJsonRpc ? undefined : http;
};
