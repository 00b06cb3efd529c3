import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './client-http.js';
import type { ClientInterceptor } from './client-interceptor.js';

/** HTTP that interceptors see, each in its turn, requests and answers in the same order. */
export class InterceptedHttp extends ClientHttp {
  constructor(
    private readonly http: ClientHttp,
    private readonly interceptors: readonly ClientInterceptor[] = [],
  ) {
    super();
  }

  async request(given: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    const request = await this.changed(given);
    const answer = await this.http.request(request, limits);
    await this.show(answer, request);
    return answer;
  }

  async open(given: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    const request = await this.changed(given);
    const stream = await this.http.open(request, limits);
    try {
      await this.show(stream, request);
    } catch (error) {
      stream.close();
      throw error;
    }
    return stream;
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async changed(given: ClientHttpRequest): Promise<ClientHttpRequest> {
    let request: ClientHttpRequest = { ...given, headers: { ...given.headers } };
    for (const interceptor of this.interceptors) request = (await interceptor.request?.(request)) ?? request;
    return request;
  }

  private async show(answer: Pick<ClientHttpAnswer, 'status' | 'headers'>, request: ClientHttpRequest): Promise<void> {
    const { status, headers } = answer;
    for (const interceptor of this.interceptors) await interceptor.answer?.({ status, headers }, request);
  }
}
