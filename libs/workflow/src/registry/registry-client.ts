import { abortable } from 'nestjs-a2a/net';
import { type AgentCard, isRecord } from 'nestjs-a2a/protocol';
import { LinkedAbort } from '../client/timing/linked-abort.js';
import { TimeoutException, WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { BusinessValues, type JsonObject } from '../model/business-values.js';
import type { TlsPolicy } from '../tls/tls.policy.js';
import type { HttpAuthProvider } from './http-auth.provider.js';
import { HttpResponseException, HttpServiceException } from './http.exceptions.js';
import { HttpService, isSuccess, jsonOf, type ServiceAnswer, type ServiceRequest } from './http-service.js';
import { normalizeAgentCard } from './normalize-agent-card.js';
import { readRegistryCard } from './read-registry-card.js';
import {
  type RegistryClientArguments,
  registryClientOptions,
  type RegistryClientOptions,
} from './registry-client.options.js';
import { serviceUrl } from './service-url.js';
import { Timeouts } from './timeouts.js';

/**
 * What may go with a call.
 *
 * @publicApi
 */
export interface RegistryCallOptions {
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal;
}

const NAME = 'Registry';
const LATER_MS = 1_000;
const PATH = '/rest/v1/registry-center/agent-cards';

/**
 * Finds agent cards in a registry center, and puts some there. Redirects are not followed, and nothing is sent twice.
 *
 * Every call throws HttpServiceException for a status of no success, HttpResponseException for an answer that cannot be
 * read, HttpConnectionException without an answer, TimeoutException at the deadline, and the reason of its signal.
 *
 * @publicApi
 */
export class RegistryClient {
  private readonly url: string;
  private readonly options: Required<RegistryClientOptions>;
  private readonly service: HttpService;

  /** @throws WorkflowArgumentError */
  constructor(url: string, options?: RegistryClientOptions);
  constructor(url: string, auth: HttpAuthProvider | null, tls?: TlsPolicy, deadlineMs?: number);
  /**
   * @param sslVerify false: the certificate need not lead to a known authority, but must be for the host
   * @deprecated give `auth` and a `TlsPolicy`
   */
  constructor(url: string, sslVerify: boolean, deadlineMs?: number);
  constructor(url: string, ...given: RegistryClientArguments) {
    this.url = serviceUrl('url', url) + PATH;
    this.options = registryClientOptions(given);
    const { tls, network, deadlineMs, maxAnswerBytes } = this.options;
    // The deadline is one for all of a call, and kept here: it comes first.
    const timeouts = new Timeouts(deadlineMs + LATER_MS, deadlineMs + LATER_MS);
    this.service = new HttpService({ name: NAME, tls, network, timeouts, maxAnswerBytes });
  }

  /** All cards, each as {@link normalizeAgentCard} makes it. */
  async fetchAgentCards(options: RegistryCallOptions = {}): Promise<readonly JsonObject[]> {
    return this.fetch(this.url, options);
  }

  /** All cards, ready for the engine's client. @throws WorkflowArgumentError for a card that cannot be read */
  async readAgentCards(options: RegistryCallOptions = {}): Promise<readonly AgentCard[]> {
    return (await this.fetchAgentCards(options)).map(readRegistryCard);
  }

  /**
   * One card.
   *
   * @param name registries find every card with these letters in its name; the one with exactly this name goes first
   * @returns null when there is none
   */
  async fetchAgentCard(
    name: string,
    organization?: string | null,
    options: RegistryCallOptions = {},
  ): Promise<JsonObject | null> {
    if (isBlank(name)) throw new WorkflowArgumentError('name must not be blank');
    const parameters = new URLSearchParams({ name });
    if (organization !== undefined && organization !== null) parameters.set('organization', organization);
    const cards = await this.fetch(`${this.url}?${parameters.toString()}`, options);
    return cards.find((card) => card['name'] === name) ?? cards[0] ?? null;
  }

  /**
   * Puts a card into the registry.
   *
   * @param card sent as it is
   * @returns what the registry says; an empty object when it says nothing
   */
  async registerAgentCard(card: object, options: RegistryCallOptions = {}): Promise<JsonObject> {
    const body = { agentCards: [BusinessValues.map(card)] };
    const answer = await this.send({ method: 'POST', url: this.url, headers: {}, body, ...options });
    if (answer.status !== 200 && answer.status !== 201) throw new HttpServiceException(NAME, answer.status);
    const said = isBlank(answer.body) ? {} : jsonOf(NAME, answer);
    return isRecord(said) ? readable(answer, () => BusinessValues.map(said)) : BusinessValues.map({});
  }

  /** Ends what is on its way, and connections that are kept. */
  close(): Promise<void> {
    return this.service.close();
  }

  private async fetch(url: string, options: RegistryCallOptions): Promise<readonly JsonObject[]> {
    const answer = await this.send({ method: 'GET', url, headers: {}, ...options });
    if (!isSuccess(answer.status)) throw new HttpServiceException(NAME, answer.status);
    return readable(answer, () => Object.freeze(cardsIn(answer).map((card) => normalizeAgentCard(card) ?? {})));
  }

  private async send(request: ServiceRequest): Promise<ServiceAnswer> {
    const { deadlineMs, auth } = this.options;
    const call = new LinkedAbort(request.signal);
    const late = (): void => call.abort(new TimeoutException(`Registry did not answer within ${deadlineMs} ms`));
    const timer = setTimeout(late, deadlineMs).unref();
    const { signal } = call;
    try {
      signal.throwIfAborted();
      const asked = authHeaders(auth, new URL(request.url), signal);
      const headers = await abortable(asked, signal);
      return await this.service.send({ ...request, headers, signal });
    } finally {
      clearTimeout(timer);
      call.release();
    }
  }
}

// A provider that throws at once is one that rejects.
async function authHeaders(
  auth: HttpAuthProvider | null,
  url: URL,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  return auth === null ? {} : auth.headersFor(url, signal);
}

function cardsIn(answer: ServiceAnswer): readonly object[] {
  const body = jsonOf(NAME, answer);
  if (!isRecord(body)) return unreadable(answer);
  const { agentCards, data } = body;
  const cards: readonly unknown[] = [agentCards, data].find((list) => Array.isArray(list)) ?? [];
  return cards.map((card) => (isRecord(card) ? card : unreadable(answer)));
}

// JSON can be deeper than anybody wants to copy.
function readable<T>(answer: ServiceAnswer, read: () => T): T {
  try {
    return read();
  } catch {
    return unreadable(answer);
  }
}

function unreadable({ status }: ServiceAnswer): never {
  throw new HttpResponseException(NAME, status);
}
