import { isJsonMediaType, JSON_MEDIA_TYPE, toStatusBody, type A2AError, type A2AMethod } from 'nestjs-a2a/protocol';
import type { CallEntry } from '../../operations/operation.gate.js';
import { BindingHandler, type BindingServices, type HttpExchange } from '../binding.handler.js';
import { jsonBodyOf, queryOf, type BodyRule } from '../call-reader.js';
import { extensionHeaders } from '../error-headers.js';
import type { HttpAnswer } from '../host/a2a-route.js';
import { sendAnswer } from '../host/http-reply.js';
import { rawRequestOf } from '../host/raw-http.js';
import { answerType, statusAnswer } from './rest-answers.js';
import { restParams } from './rest-params.js';
import type { RestTarget } from './rest-routes.js';

const NEED_A_BODY: ReadonlySet<A2AMethod> = new Set([
  'SendMessage',
  'SendStreamingMessage',
  'CreateTaskPushNotificationConfig',
]);
const READING: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD']);
const NOT_TO_BE_KEPT = { 'cache-control': 'no-store' };
const TAKE_A_BODY: ReadonlySet<A2AMethod> = new Set([...NEED_A_BODY, 'CancelTask', 'SubscribeToTask']);

/** Somebody else who is called at paths of this binding, and known by the body. */
export interface PathSharer {
  shares(target: RestTarget, body: unknown): boolean;
  /** Answers the call, its failures too. */
  take(exchange: HttpExchange, entry: CallEntry, body: unknown): Promise<void>;
}

/**
 * The HTTP+JSON binding.
 *
 * @see A2A 1.0, section 11
 */
export class RestHandler extends BindingHandler {
  /** @param olderPeers shares some paths; absent: they are this binding's alone */
  constructor(
    services: BindingServices,
    private readonly olderPeers?: PathSharer,
  ) {
    super(services);
  }

  protected override async serve(exchange: HttpExchange): Promise<void> {
    const { request, response, intake } = exchange;
    const { calls, gate, settings } = this.services;
    const target = targetOf(intake.target);
    const entry = await calls.entryOf(request, response, { binding: 'HTTP+JSON', tenant: target.tenant, intake });
    const body = TAKE_A_BODY.has(target.method) ? jsonBodyOf(intake, this.bodyRule(target.method)) : undefined;
    if (this.olderPeers?.shares(target, body)) return this.olderPeers.take(exchange, entry, body);
    // Before the query is looked at, as on every binding.
    gate.checkVersion(entry.version);
    const params = restParams(target, queryOf(intake.rawUrl), body);
    const { call, result } = await gate.pass(target.method, params, entry);
    if (result.kind === 'stream') {
      const error = (failure: A2AError): string => JSON.stringify(toStatusBody(failure, settings.specRevision).body);
      return this.stream(exchange, call, result.frames, { prefix: '', suffix: '', error });
    }
    const headers = extensionHeaders(call);
    if (result.kind === 'nothing') return sendAnswer(response, { status: 204, headers, body: '' });
    const type = { 'content-type': this.typeFor(request) };
    const answered = { ...type, ...cachingOf(request), ...headers };
    sendAnswer(response, { status: 200, headers: answered, body: JSON.stringify(result.value) });
  }

  protected override failureAnswer(request: object, error: A2AError): HttpAnswer {
    const answer = statusAnswer(error, this.typeFor(request), this.services.settings.specRevision);
    return { ...answer, headers: { ...cachingOf(request), ...answer.headers } };
  }

  private typeFor(request: object): string {
    return answerType(rawRequestOf(request)?.headers.accept, this.services.settings.specRevision);
  }

  private bodyRule(method: A2AMethod): BodyRule {
    const rule = {
      accepts: isJsonMediaType,
      expected: `${JSON_MEDIA_TYPE} or application/a2a+json`,
      maxBytes: this.maxRequestBytes,
    };
    return NEED_A_BODY.has(method) ? rule : { ...rule, empty: {} };
  }
}

/** What is read is the caller's alone: a cache on the way would keep it for others, even that there is nothing. */
function cachingOf(request: object): Readonly<Record<string, string>> {
  return READING.has(rawRequestOf(request)?.method) ? NOT_TO_BE_KEPT : {};
}

function targetOf(target: unknown): RestTarget {
  if (isRestTarget(target)) return target;
  throw new Error('The request was not resolved by a route of the REST binding');
}

function isRestTarget(target: unknown): target is RestTarget {
  return typeof target === 'object' && target !== null && 'method' in target;
}
