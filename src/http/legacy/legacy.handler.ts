import { randomUUID } from 'node:crypto';
import {
  decodeSendMessageResponse,
  InternalError,
  isA2AMethod,
  isOlderMethod,
  JSON_MEDIA_TYPE,
  jsonRpcHttpStatus,
  jsonRpcResult,
  olderFailure,
  olderSurfaceOf,
  readOlderSend,
  TaskNotFoundError,
  toOlderAnswer,
  type A2AError,
  type JsonRpcRequest,
  type OlderSend,
  type OlderTask,
} from 'nestjs-a2a/protocol';
import type { CallEntry, GateResult } from '../../operations/operation.gate.js';
import type { HttpExchange } from '../binding.handler.js';
import { errorHeaders, extensionHeaders } from '../error-headers.js';
import type { HttpAnswer } from '../host/a2a-route.js';
import { intakeOf, type HttpIntake } from '../host/http-intake.js';
import { sendAnswer } from '../host/http-reply.js';
import { JsonRpcHandler } from '../json-rpc/json-rpc.handler.js';
import type { RestTarget } from '../rest/rest-routes.js';
import type { PathSharer } from '../rest/rest.handler.js';

/** In which form a call is answered: that of its method, as soon as it is known. */
type Form = 'older' | 'standard';

// Said before anybody looks at a body; at the root, too, older peers are told so in their own form.
const ACCESS_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 503]);
const TASK_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Speaks with peers from before A2A 1.0: a text comes in, a task goes out, in the words of then. Whoever calls a method
 * of the standard here is answered as on the JSON-RPC binding.
 */
export class LegacyHandler extends JsonRpcHandler implements PathSharer {
  private readonly forms = new WeakMap<HttpIntake, Form>();

  shares({ method, tenant }: RestTarget, body: unknown): boolean {
    const shared = method === 'SendMessage' && tenant === undefined;
    return shared && typeof body === 'object' && body !== null && 'jsonrpc' in body;
  }

  async take(exchange: HttpExchange, entry: CallEntry, body: unknown): Promise<void> {
    try {
      await this.carryOut(exchange, { ...entry, binding: 'JSONRPC' }, this.callIn(exchange, body));
    } catch (failure) {
      this.fail(exchange.request, exchange.response, failure);
    }
  }

  protected override async carryOut(exchange: HttpExchange, entry: CallEntry, request: JsonRpcRequest): Promise<void> {
    const { intake, response } = exchange;
    const { id, method, params } = request;
    if (isA2AMethod(method)) this.forms.set(intake, 'standard');
    if (!isOlderMethod(method)) return super.carryOut(exchange, entry, request);
    this.forms.set(intake, 'older');
    const { call, result } = await this.pass(readOlderSend(params, randomUUID()), entry);
    const headers = { 'content-type': JSON_MEDIA_TYPE, ...extensionHeaders(call) };
    sendAnswer(response, { status: 200, headers, body: jsonRpcResult(id, JSON.stringify(answerOf(result))) });
  }

  protected override failureAnswer(request: object, error: A2AError): HttpAnswer {
    const intake = intakeOf(request);
    const known = intake && this.forms.get(intake);
    if ((known ?? formAt(intake?.target, error)) === 'standard') return super.failureAnswer(request, error);
    return {
      status: olderSurfaceOf(error).status,
      headers: { 'content-type': JSON_MEDIA_TYPE, ...errorHeaders(error) },
      body: olderFailure(intake?.callId ?? null, error),
    };
  }

  /** An id is a task's if the caller has such a task; every other one is what callers once chose for a new one. */
  private async pass({ id, message }: OlderSend, entry: CallEntry): Promise<GateResult> {
    const { gate } = this.services;
    if (TASK_ID.test(id)) {
      try {
        return await gate.pass('SendMessage', { message: { ...message, taskId: id } }, entry);
      } catch (error) {
        if (!(error instanceof TaskNotFoundError)) throw error;
      }
    }
    return gate.pass('SendMessage', { message }, entry);
  }
}

/** The form of a failure before the method is known. */
function formAt(target: unknown, error: A2AError): Form {
  // The route of the JSON-RPC binding has no target.
  if (target === undefined) return 'standard';
  return target === 'root' && !ACCESS_STATUSES.has(jsonRpcHttpStatus(error)) ? 'standard' : 'older';
}

function answerOf(result: GateResult['result']): OlderTask {
  const decoded = result.kind === 'value' ? decodeSendMessageResponse(result.value) : undefined;
  if (decoded?.ok !== true) throw new InternalError(randomUUID(), { cause: new Error('The send gave no task') });
  return toOlderAnswer(decoded.value);
}
