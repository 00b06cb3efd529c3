import type { CredentialSource, RequestCredentials } from '../credentials/credential-source.js';
import { sameCredentials } from '../credentials/merge-credentials.js';
import { withCredentials } from './apply-credentials.js';
import {
  ClientHttp,
  type ClientHttpAnswer,
  type ClientHttpLimits,
  type ClientHttpRequest,
  type ClientHttpStream,
} from './client-http.js';

/**
 * HTTP for agent cards, which are open to all as a rule. Where one is not, the client's credentials are tried: the card
 * is fetched from the origin that the user named.
 */
export class CardHttp extends ClientHttp {
  constructor(
    private readonly http: ClientHttp,
    private readonly credentials: CredentialSource,
  ) {
    super();
  }

  async request(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpAnswer> {
    const open = await this.http.request(request, limits);
    if (open.status !== 401) return open;
    const credentials = await this.credentialsFor(request);
    if (!credentials) return open;
    const answer = await this.http.request(withCredentials(request, credentials), limits);
    if (answer.status !== 401 || !this.credentials.rejected(answer, credentials)) return answer;
    const again = await this.credentialsFor(request);
    if (!again || sameCredentials(again, credentials)) return answer;
    return this.http.request(withCredentials(request, again), limits);
  }

  open(request: ClientHttpRequest, limits?: ClientHttpLimits): Promise<ClientHttpStream> {
    return this.http.open(request, limits);
  }

  close(): Promise<void> {
    return this.http.close();
  }

  private async credentialsFor({ url, signal }: ClientHttpRequest): Promise<RequestCredentials | undefined> {
    try {
      const { origin } = new URL(url);
      return await this.credentials.headersFor(undefined, undefined, { origin, http: this.http, signal });
    } catch {
      signal?.throwIfAborted();
      // Those that need the card to know what they are. That it is not open is said by the answer.
      return undefined;
    }
  }
}
