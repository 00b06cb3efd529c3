import { abortable } from 'nestjs-a2a/net';
import { isRecord } from 'nestjs-a2a/protocol';
import type { HttpAuthProvider } from './http-auth.provider.js';
import { HttpServiceException } from './http.exceptions.js';
import { HttpService, isSuccess, jsonOf, type ServiceAnswer } from './http-service.js';
import type { LoadPsopSettings } from './load-psop.options.js';

/** A question to an orchestration center: one that changes nothing there, so that it can be asked again. */
export interface CenterQuestion {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: object;
}

/** What a center has answered. */
export interface CenterAnswer {
  readonly status: number;
  /** What is in the envelope, or all there is when there is none. */
  readonly data: unknown;
}

/** For errors. */
export const CENTER = 'Orchestration center';

/**
 * Asks a center. Credentials that are refused with 401 are tried once more if the provider says that it has others.
 *
 * @throws HttpServiceException, HttpResponseException, HttpConnectionException, TimeoutException, the signal's reason
 */
export async function askCenter(question: CenterQuestion, settings: LoadPsopSettings): Promise<CenterAnswer> {
  const { tls, network, timeouts, maxAnswerBytes } = settings;
  const service = new HttpService({ name: CENTER, tls, network, timeouts, maxAnswerBytes });
  try {
    const answer = await asked(service, question, settings);
    if (!isSuccess(answer.status)) throw new HttpServiceException(CENTER, answer.status);
    const body = jsonOf(CENTER, answer);
    return { status: answer.status, data: isRecord(body) && 'data' in body ? body['data'] : body };
  } finally {
    // Nobody waits for connections that are no longer used.
    service.close().catch(() => undefined);
  }
}

async function asked(
  service: HttpService,
  question: CenterQuestion,
  { auth, signal }: LoadPsopSettings,
): Promise<ServiceAnswer> {
  signal?.throwIfAborted();
  const url = new URL(question.url);
  const headers = await headersOf(auth, url, signal);
  const answer = await service.send({ ...question, headers, signal });
  if (answer.status !== 401 || auth === null) return answer;
  const hasOthers = await abortable(Promise.resolve(auth.onUnauthorized(url, headers)), signal);
  if (!hasOthers) return answer;
  return service.send({ ...question, headers: await headersOf(auth, url, signal), signal });
}

async function headersOf(
  auth: HttpAuthProvider | null,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, string>>> {
  return auth === null ? {} : abortable(Promise.resolve(auth.headersFor(url, signal)), signal);
}
