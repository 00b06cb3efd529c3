import type { AgentCard } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import {
  type CredentialContext,
  type CredentialSource,
  NoCredentials,
  type RequestCredentials,
} from '../credentials/credential-source.js';
import { sameCredentials } from '../credentials/merge-credentials.js';
import type { DiscoveredAgent } from '../discovery/discovered-agent.js';
import { isOrigin } from '../origins.js';
import { withCredentials } from './apply-credentials.js';
import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './client-http.js';

/** Options of {@link AgentHttp}. */
export interface AgentHttpOptions {
  readonly agent: Pick<DiscoveredAgent, 'card' | 'interface' | 'origin'>;
  readonly credentials: CredentialSource;
  /** Origins that get credentials besides the agent's own. */
  readonly credentialOrigins?: readonly string[];
}

/** What has to do with the host alone. */
const OF_A_HOST: ReadonlySet<string> = new Set(['FORBIDDEN_TARGET', 'CONNECT_FAILED', 'DNS_FAILED', 'TLS_FAILED']);

type Head = Pick<ClientHttpAnswer, 'status' | 'headers'>;

/**
 * HTTP to one agent, with the credentials that its card asks for: to the origin that the user named, and to no other.
 * When they are refused, and there may be others by now, the request is sent once more.
 */
export class AgentHttp extends ClientHttp {
  constructor(
    private readonly http: ClientHttp,
    private readonly options: AgentHttpOptions,
  ) {
    super();
  }

  request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    return this.exchange(request, (sent) => this.told(sent, this.http.request(sent, limits)));
  }

  open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    return this.exchange(
      request,
      (sent) => this.told(sent, this.http.open(sent, limits)),
      (refused) => refused.close(),
    );
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async exchange<A extends Head>(
    request: ClientHttpRequest,
    send: (request: ClientHttpRequest) => Promise<A>,
    leave: (answer: A) => void = () => undefined,
  ): Promise<A> {
    const credentials = await this.credentialsFor(request);
    if (!credentials) return send(request);
    const answer = await send(withCredentials(request, credentials));
    if (answer.status !== 401 || !this.options.credentials.rejected(answer, credentials)) return answer;
    let again: RequestCredentials | undefined;
    try {
      again = await this.credentialsFor(request);
    } catch (error) {
      leave(answer);
      throw error;
    }
    if (!again || sameCredentials(again, credentials)) return answer;
    // 401 says that nothing was done: even what must not be done twice may be sent again.
    leave(answer);
    return send(withCredentials(request, again));
  }

  /** Who named another host is told where this one comes from. */
  private async told<A>({ url }: ClientHttpRequest, answer: Promise<A>): Promise<A> {
    try {
      return await answer;
    } catch (error) {
      throw byCard(error, url, this.options.agent.origin);
    }
  }

  private async credentialsFor({ url, signal }: ClientHttpRequest): Promise<RequestCredentials | undefined> {
    const { agent, credentials, credentialOrigins = [] } = this.options;
    const { origin } = new URL(url);
    if (![agent.origin, ...credentialOrigins].some((entry) => isOrigin(entry, origin))) {
      if (asksForCredentials(agent.card) && !(credentials instanceof NoCredentials))
        throw notForOrigin(origin, agent.origin);
      return undefined;
    }
    const context: CredentialContext = { origin: agent.origin, http: this.http, signal };
    return credentials.headersFor(agent.card, agent.interface, context);
  }
}

function byCard(error: unknown, url: string, origin: string): unknown {
  if (!(error instanceof A2AClientError) || !OF_A_HOST.has(error.code) || new URL(url).origin === origin) return error;
  const { code, message, cause } = error;
  return new A2AClientError(code, `${message}. It is the interface that the agent's card at ${origin} names`, {
    cause,
  });
}

function asksForCredentials({ securityRequirements = [] }: AgentCard): boolean {
  return (
    securityRequirements.length > 0 && securityRequirements.every(({ schemes }) => Object.keys(schemes).length > 0)
  );
}

function notForOrigin(origin: string, named: string): A2AClientError {
  return new A2AClientError(
    'CREDENTIALS_NOT_FOR_ORIGIN',
    `The agent asks for credentials at ${origin}, but was named at ${named}: ` +
      'they are sent there only when that origin is listed in credentialOrigins',
  );
}
