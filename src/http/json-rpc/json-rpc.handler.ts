import {
  InvalidRequestError,
  isA2AMethod,
  JSON_MEDIA_TYPE,
  jsonRpcFailure,
  jsonRpcHttpStatus,
  jsonRpcResult,
  MethodNotFoundError,
  parseJsonRpcRequest,
  V0_3_METHODS,
  type A2AError,
  type A2AMethod,
  type JsonRpcRequest,
} from 'nestjs-a2a/protocol';
import type { OperationResult } from '../../operations/operation-table.js';
import type { CallEntry } from '../../operations/operation.gate.js';
import { BindingHandler, type HttpExchange } from '../binding.handler.js';
import { jsonBodyOf, type BodyRule } from '../call-reader.js';
import { errorHeaders, extensionHeaders } from '../error-headers.js';
import type { HttpAnswer } from '../host/a2a-route.js';
import { intakeOf } from '../host/http-intake.js';
import { sendAnswer } from '../host/http-reply.js';

// Every frame of a stream repeats the id.
const MAX_ID_LENGTH = 1024;

/**
 * The JSON-RPC binding.
 *
 * @see A2A 1.0, section 9
 */
export class JsonRpcHandler extends BindingHandler {
  protected override async serve(exchange: HttpExchange): Promise<void> {
    const { request, response, intake } = exchange;
    const { calls } = this.services;
    // Before the body is parsed: what has read it is on the stack until then, and holds its text.
    const entry = await calls.entryOf(request, response, { binding: 'JSONRPC', tenant: undefined, intake });
    return this.carryOut(exchange, entry, this.callIn(exchange, jsonBodyOf(intake, this.bodyRule())));
  }

  /** The call that a body is. Failures name its id from here on. */
  protected callIn({ intake }: HttpExchange, body: unknown): JsonRpcRequest {
    const call = parseJsonRpcRequest(body);
    const { id } = call;
    if (typeof id === 'string' && id.length > MAX_ID_LENGTH) throw new InvalidRequestError("'id' is too long");
    intake.callId = id;
    return call;
  }

  protected async carryOut(exchange: HttpExchange, entry: CallEntry, request: JsonRpcRequest): Promise<void> {
    const { response } = exchange;
    const { gate } = this.services;
    const { id, method, params } = request;
    const { call, result } = await gate.pass(knownMethod(method), params ?? absentParams(method), entry);
    if (result.kind !== 'stream') {
      const headers = { 'content-type': JSON_MEDIA_TYPE, ...extensionHeaders(call) };
      sendAnswer(response, { status: 200, headers, body: jsonRpcResult(id, resultJson(result)) });
      return;
    }
    const [prefix = '', suffix = ''] = jsonRpcResult(id, FRAME).split(FRAME);
    const error = (failure: A2AError): string => jsonRpcFailure(id, failure);
    await this.stream(exchange, call, result.frames, { prefix, suffix, error });
  }

  protected override failureAnswer(request: object, error: A2AError): HttpAnswer {
    return {
      status: jsonRpcHttpStatus(error),
      headers: { 'content-type': JSON_MEDIA_TYPE, ...errorHeaders(error) },
      body: jsonRpcFailure(intakeOf(request)?.callId ?? null, error),
    };
  }

  private bodyRule(): BodyRule {
    return { accepts: isPlainJson, expected: JSON_MEDIA_TYPE, maxBytes: this.maxRequestBytes };
  }
}

// Cannot occur in the JSON of an id, which has no unescaped line break.
const FRAME = '\n';

function resultJson(result: Exclude<OperationResult, { kind: 'stream' }>): string {
  return result.kind === 'value' ? JSON.stringify(result.value) : 'null';
}

function knownMethod(method: string): A2AMethod {
  if (isA2AMethod(method)) return method;
  const current = V0_3_METHODS.get(method);
  throw new MethodNotFoundError(method, current && `In A2A 1.0 it is ${current}`);
}

/** The one method whose request has no field that anybody need set. */
function absentParams(method: string): unknown {
  return method === 'GetExtendedAgentCard' ? {} : undefined;
}

function isPlainJson(contentType: string | undefined): boolean {
  if (contentType === JSON_MEDIA_TYPE) return true;
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === JSON_MEDIA_TYPE;
}
