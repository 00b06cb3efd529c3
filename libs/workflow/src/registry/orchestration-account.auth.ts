import type { ClientNetwork } from 'nestjs-a2a/client';
import { abortable } from 'nestjs-a2a/net';
import { isRecord } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import type { TlsPolicy } from '../tls/tls.policy.js';
import { bearerHeaders, HttpAuthProvider } from './http-auth.provider.js';
import { HttpResponseException, HttpServiceException } from './http.exceptions.js';
import { HttpService, isSuccess, jsonOf, type ServiceAnswer } from './http-service.js';
import { serviceUrl } from './service-url.js';
import { Timeouts } from './timeouts.js';

/**
 * What rarely needs to be said of an account.
 *
 * @publicApi
 */
export interface OrchestrationAccountOptions {
  /** Where the center may be. Default: `'any'`, since the host names it. */
  readonly network?: ClientNetwork;
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`. */
  readonly now?: () => number;
}

interface Session {
  readonly headers: Readonly<Record<string, string>>;
  readonly goodUntil: number;
}

const NAME = 'Login to the orchestration center';
const MAX_ANSWER_BYTES = 65_536;
const TOKEN = /^[\x21-\x7e\x80-\xff]+$/;

/**
 * Authenticates `LoadPsop` by an account of the orchestration center. It logs in when it is first needed, and again when
 * the token has run out or was refused. Share one instance: all calls at the same time wait for one login.
 *
 * Nothing is given to other URLs than those of this center below `/api/v1/orchestrate/`. Over plain HTTP everybody on the
 * way reads the password: use HTTPS, and the TLS policy of the calls.
 *
 * @publicApi
 */
export class OrchestrationAccountAuth extends HttpAuthProvider {
  private readonly loginUrl: string;
  private readonly scope: URL;
  readonly #username: string;
  readonly #password: string;
  readonly #now: () => number;
  #session: Session | undefined;
  #login: Promise<Session> | undefined;

  /**
   * @param loginTimeouts Default: 30 seconds each
   * @throws WorkflowArgumentError
   */
  constructor(
    baseUrl: string,
    username: string,
    password: string,
    private readonly tls: TlsPolicy,
    private readonly loginTimeouts: Timeouts = new Timeouts(),
    private readonly options: OrchestrationAccountOptions = {},
  ) {
    super();
    const base = serviceUrl('baseUrl', baseUrl);
    if (isBlank(username)) throw new WorkflowArgumentError('username must not be blank');
    if (isBlank(password)) throw new WorkflowArgumentError('password must not be blank');
    this.loginUrl = `${base}/api/v1/auth/token`;
    this.scope = new URL(`${base}/api/v1/orchestrate/`);
    this.#username = username;
    this.#password = password;
    this.#now = options.now ?? (() => performance.now());
  }

  async headersFor(uri: URL, signal?: AbortSignal): Promise<Readonly<Record<string, string>>> {
    if (!this.isOwn(uri)) return {};
    const session = this.#session;
    if (session !== undefined && this.#now() < session.goodUntil) return session.headers;
    this.#login ??= this.login().finally(() => (this.#login = undefined));
    // Others may wait for the same login: who leaves does not end it.
    return (await abortable(this.#login, signal)).headers;
  }

  override onUnauthorized(uri: URL, rejectedHeaders: Readonly<Record<string, string>>): boolean {
    if (!this.isOwn(uri)) return false;
    // Only this one: another call may have got a newer one already.
    const { Authorization: rejected } = rejectedHeaders;
    if (this.#session?.headers['Authorization'] === rejected) this.#session = undefined;
    return true;
  }

  private isOwn({ origin, pathname }: URL): boolean {
    return origin === this.scope.origin && pathname.startsWith(this.scope.pathname);
  }

  private async login(): Promise<Session> {
    const service = new HttpService({
      name: NAME,
      tls: this.tls,
      network: this.options.network ?? 'any',
      timeouts: this.loginTimeouts,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    // From before the question: the token's time runs since then at the latest.
    const asked = this.#now();
    try {
      const body = { username: this.#username, password: this.#password };
      const answer = await service.send({ method: 'POST', url: this.loginUrl, headers: {}, body });
      if (!isSuccess(answer.status)) throw new HttpServiceException(NAME, answer.status);
      const { token, seconds } = tokenIn(answer);
      this.#session = { headers: Object.freeze({ ...bearerHeaders(token) }), goodUntil: asked + seconds * 1000 };
      return this.#session;
    } finally {
      service.close().catch(() => undefined);
    }
  }
}

function tokenIn(answer: ServiceAnswer): { readonly token: string; readonly seconds: number } {
  const body = jsonOf(NAME, answer);
  const inside = isRecord(body) && isRecord(body['data']) ? body['data'] : body;
  const { access_token: token, token_type: type, expires_in: seconds } = isRecord(inside) ? inside : {};
  const unusable = (problem: string): never => {
    throw new HttpResponseException(NAME, answer.status, problem);
  };
  if (typeof token !== 'string' || !TOKEN.test(token)) return unusable('there is no access_token in the answer');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') return unusable('the token_type is not Bearer');
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1) {
    return unusable('expires_in is no positive whole number');
  }
  return { token, seconds };
}
