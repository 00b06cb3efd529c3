import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { Workflow } from '../model/workflow.js';
import type { WorkflowSearchResult } from '../model/workflow-search-result.js';
import type { TlsPolicy } from '../tls/tls.policy.js';
import type { HttpAuthProvider } from './http-auth.provider.js';
import { HttpResponseException } from './http.exceptions.js';
import { type LoadPsopArguments, type LoadPsopOptions, loadPsopSettings } from './load-psop.options.js';
import { askCenter, CENTER } from './orchestration-center.js';
import { searchResult } from './search-results.js';
import { serviceUrl } from './service-url.js';
import { Timeouts } from './timeouts.js';

const API = '/api/v1/orchestrate';
const DEFAULT_TOP_N = 5;

/**
 * Loads workflows from an orchestration center.
 *
 * Every call throws HttpServiceException for a status of no success, HttpResponseException for an answer that cannot be
 * read, HttpConnectionException without an answer, TimeoutException, and the reason of its signal. Redirects are not
 * followed; only a 401 is tried once more, when the provider has other credentials by then.
 *
 * @publicApi
 */
export class LoadPsop {
  /** Limits of a call. */
  static readonly Timeouts = Timeouts;

  /**
   * The whole workflow.
   *
   * @throws WorkflowArgumentError when the URL or the id cannot be used
   */
  static load(baseUrl: string, psopId: string, options?: LoadPsopOptions): Promise<Workflow>;
  /**
   * @param accessToken goes into `Authorization: Bearer`; null or blank for none
   * @param sslVerify false: neither where the certificate comes from nor whom it is for is checked
   */
  static load(
    baseUrl: string,
    psopId: string,
    accessToken: string | null,
    sslVerify: boolean,
    timeouts?: Timeouts,
  ): Promise<Workflow>;
  static load(
    baseUrl: string,
    psopId: string,
    auth: HttpAuthProvider | null,
    tls: TlsPolicy,
    timeouts?: Timeouts,
  ): Promise<Workflow>;
  static async load(baseUrl: string, psopId: string, ...given: LoadPsopArguments): Promise<Workflow> {
    const url = `${serviceUrl('baseUrl', baseUrl)}${API}/psop/${segment(psopId)}`;
    const { status, data } = await askCenter({ method: 'GET', url }, loadPsopSettings(given));
    if (!isRecord(data) || !Array.isArray(data['steps'])) {
      throw new HttpResponseException(CENTER, status, 'the answer is no workflow');
    }
    try {
      return Workflow.fromMap(data);
    } catch {
      throw new HttpResponseException(CENTER, status, 'the answer is no workflow');
    }
  }

  /**
   * Workflows that fit an intent, as the center ranks them.
   *
   * @param intent in natural language. Centers take up to 10,000 characters
   * @param topN how many at most. Default: 5. Centers take up to 20
   * @throws WorkflowArgumentError when an argument cannot be used
   */
  static search(
    baseUrl: string,
    intent: string,
    topN?: number,
    options?: LoadPsopOptions,
  ): Promise<readonly WorkflowSearchResult[]>;
  /**
   * @param accessToken goes into `Authorization: Bearer`; null or blank for none
   * @param sslVerify false: neither where the certificate comes from nor whom it is for is checked
   */
  static search(
    baseUrl: string,
    intent: string,
    topN: number,
    accessToken: string | null,
    sslVerify: boolean,
    timeouts?: Timeouts,
  ): Promise<readonly WorkflowSearchResult[]>;
  static search(
    baseUrl: string,
    intent: string,
    topN: number,
    auth: HttpAuthProvider | null,
    tls: TlsPolicy,
    timeouts?: Timeouts,
  ): Promise<readonly WorkflowSearchResult[]>;
  static async search(
    baseUrl: string,
    intent: string,
    topN: number = DEFAULT_TOP_N,
    ...given: LoadPsopArguments
  ): Promise<readonly WorkflowSearchResult[]> {
    if (isBlank(intent)) throw new WorkflowArgumentError('intent must not be blank');
    if (!Number.isInteger(topN) || topN < 1) throw new WorkflowArgumentError('topN must be a positive whole number');
    const url = `${serviceUrl('baseUrl', baseUrl)}${API}/search`;
    const question = { method: 'POST', url, body: { intent, top_n: topN } } as const;
    const { status, data } = await askCenter(question, loadPsopSettings(given));
    const unreadable = (): never => {
      throw new HttpResponseException(CENTER, status, 'the answer is no list of workflows');
    };
    if (!Array.isArray(data)) return unreadable();
    return Object.freeze(data.map((item: unknown) => (isRecord(item) ? searchResult(item) : unreadable())));
  }
}

/** One segment of a path, whatever is in it. */
function segment(psopId: string): string {
  if (isBlank(psopId)) throw new WorkflowArgumentError('psopId must not be blank');
  // These lead elsewhere, however they are encoded.
  if (psopId === '.' || psopId === '..') throw new WorkflowArgumentError(`psopId must not be '${psopId}'`);
  try {
    return encodeURIComponent(psopId);
  } catch {
    throw new WorkflowArgumentError('psopId must be well-formed text');
  }
}
