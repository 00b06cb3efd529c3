import { WorkflowError } from '../errors/workflow.error.js';

/**
 * A registry or an orchestration center answered with another status than one of success; redirects are among them. What
 * it said besides is not kept.
 *
 * @publicApi
 */
export class HttpServiceException extends WorkflowError {
  /** @param service for the text, e.g. `Registry` */
  constructor(
    service: string,
    private readonly statusCode: number,
  ) {
    super('workflow.http_status', `${service} returned ${statusCode}`);
  }

  getStatusCode(): number {
    return this.statusCode;
  }

  /** 401 or 403: other credentials are needed. */
  isAuthenticationFailure(): boolean {
    return this.statusCode === 401 || this.statusCode === 403;
  }
}

/**
 * An answer with a status of success holds something else than it should, or too much. Neither the body nor what a parser
 * said of it is kept: both may repeat credentials.
 *
 * @publicApi
 */
export class HttpResponseException extends WorkflowError {
  /**
   * @param service for the text, e.g. `Registry`
   * @param problem goes into the text: nothing of the body
   */
  constructor(
    service: string,
    private readonly statusCode: number,
    problem = 'the answer cannot be read',
  ) {
    super('workflow.http_response', `${service} returned ${statusCode}, but ${problem}`);
  }

  getStatusCode(): number {
    return this.statusCode;
  }
}

/**
 * There was no answer: no connection, no trust, or a connection that broke.
 *
 * @publicApi
 */
export class HttpConnectionException extends WorkflowError {
  constructor(service: string, problem: string, options?: ErrorOptions) {
    super('workflow.http_connection', `${service} gave no answer: ${problem}`, options);
  }
}
