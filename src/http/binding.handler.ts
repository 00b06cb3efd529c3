import { ResourceExhaustedError, UnauthenticatedError, type A2AError } from 'nestjs-a2a/protocol';
import type { ObserverReports } from '../a2a.observer-reports.js';
import type { A2ASettings } from '../a2a.options.js';
import type { ServerCallContext } from '../agent/server-call-context.js';
import type { OperationGate } from '../operations/operation.gate.js';
import type { StreamFrame } from '../operations/stream-frame.js';
import type { Observable } from 'rxjs';
import type { CallAdmission } from './call-admission.js';
import type { CallReader } from './call-reader.js';
import { extensionHeaders, hasHeader } from './error-headers.js';
import { intakeOf, type HttpIntake } from './host/http-intake.js';
import type { OpenStreams } from './host/open-streams.js';
import { headersSent, sendAnswer } from './host/http-reply.js';
import type { HttpAnswer } from './host/a2a-route.js';
import { writeEventStream, type SseFraming } from './host/sse-writer.js';
import type { FailureReporter } from './http-failure.js';

/** What a binding needs of its agent. */
export interface BindingServices {
  readonly settings: A2ASettings;
  readonly gate: OperationGate;
  readonly calls: CallReader;
  readonly admission: CallAdmission;
  readonly failures: FailureReporter;
  readonly openStreams: OpenStreams;
  readonly reports: ObserverReports;
}

/** A call on a binding of HTTP: who answers whom. */
export interface HttpExchange {
  readonly request: object;
  readonly response: object;
  readonly intake: HttpIntake;
}

/**
 * What the two bindings over HTTP have in common: a call comes in, an answer or a stream goes out, and every failure
 * is answered in the binding's own form.
 */
export abstract class BindingHandler {
  constructor(protected readonly services: BindingServices) {}

  get maxRequestBytes(): number {
    return this.services.settings.maxRequestBytes;
  }

  async handle(request: object, response: object): Promise<void> {
    const intake = intakeOf(request);
    if (intake === undefined) throw new Error('The request did not pass the intake: is the A2A module initialised?');
    try {
      await this.serve({ request, response, intake });
    } catch (failure) {
      this.fail(request, response, failure);
    }
  }

  /** Answers with the failure, unless an answer is under way already. */
  fail(request: object, response: object, failure: unknown): void {
    const error = this.services.failures.report(failure);
    if (error instanceof UnauthenticatedError) this.services.admission.refused(request);
    if (headersSent(response)) return;
    const answer = this.failureAnswer(request, error);
    const all = { ...answer.headers, ...this.challengeOf(error) };
    // What a guard has set itself, a challenge or a time to come back, says more than what we make of its exception.
    const headers = Object.fromEntries(Object.entries(all).filter(([name]) => !hasHeader(response, name)));
    sendAnswer(response, { ...answer, headers });
  }

  /** What the card asks for, where nobody has named a challenge. */
  private challengeOf(error: A2AError): Readonly<Record<string, string>> {
    if (!(error instanceof UnauthenticatedError) || error.challenge !== undefined) return {};
    const { open, challenge } = this.services.admission;
    return open || challenge === undefined ? {} : { 'www-authenticate': challenge };
  }

  protected abstract serve(exchange: HttpExchange): Promise<void>;

  protected abstract failureAnswer(request: object, error: A2AError): HttpAnswer;

  protected stream(
    { response }: HttpExchange,
    call: ServerCallContext,
    frames: Observable<StreamFrame>,
    framing: Omit<SseFraming, 'error'> & { error(error: A2AError): string },
  ): Promise<void> {
    const { settings, openStreams, failures, reports } = this.services;
    return writeEventStream(response, {
      frames,
      framing: { ...framing, error: (failure) => framing.error(failures.report(failure)) },
      headers: () => extensionHeaders(call),
      heartbeatMs: settings.heartbeatIntervalSeconds * 1000,
      maxBufferBytes: settings.maxReaderBufferBytes,
      streams: openStreams,
      overflow: () => new ResourceExhaustedError('You read too slowly: subscribe again to go on'),
      onCut: () => reports.tell((observer) => observer.readerCut?.()),
    });
  }
}
