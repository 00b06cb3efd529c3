import type { AgentCard, AgentInterface } from 'nestjs-a2a/protocol';
import type { ClientHttp, ClientHttpAnswer } from '../http/client-http.js';

/**
 * What a request carries so that the agent knows who asks.
 *
 * @publicApi
 */
export interface RequestCredentials {
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the URL. */
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}

/**
 * For which request credentials are wanted.
 *
 * @publicApi
 */
export interface CredentialContext {
  /** Of what the user named. */
  readonly origin: string;
  /** For requests of its own, for a token for example. Carries no credentials itself. */
  readonly http: ClientHttp;
  /** Of the call that waits. */
  readonly signal?: AbortSignal;
}

/**
 * Where the client takes its credentials from. Asked before every request to an origin that may have them.
 *
 * @publicApi
 */
export abstract class CredentialSource {
  /**
   * @param card undefined while the card itself is fetched
   * @param agentInterface the one that is called
   * @throws A2AClientError when it has not what the card asks for
   */
  abstract headersFor(
    card: AgentCard | undefined,
    agentInterface: AgentInterface | undefined,
    context: CredentialContext,
  ): Promise<RequestCredentials>;

  /**
   * Is told that what it gave was refused with 401.
   *
   * @returns true when it may have something else by now: then the request is sent once more, if it differs
   */
  rejected(_answer: Pick<ClientHttpAnswer, 'status' | 'headers'>, _sent: RequestCredentials): boolean {
    return false;
  }
}

/** Sends nothing, whatever a card asks for: somebody else takes care of it. */
export class NoCredentials extends CredentialSource {
  async headersFor(): Promise<RequestCredentials> {
    return { headers: {} };
  }
}
