import type { AgentCard, SecurityScheme } from 'nestjs-a2a/protocol';
import type { CredentialContext, RequestCredentials } from './credential-source.js';

/**
 * What a credential is asked for.
 *
 * @publicApi
 */
export interface CredentialRequest extends CredentialContext {
  /** As the card describes it; undefined when the card says nothing of how to authenticate. */
  readonly scheme?: SecurityScheme;
  /** That the card asks for. */
  readonly scopes: readonly string[];
  readonly card?: AgentCard;
}

/**
 * One way to authenticate. Extend it for schemes of your own.
 *
 * @publicApi
 */
export abstract class Credential {
  /** What it is, for people; goes into errors, so it holds no secret. */
  abstract readonly kind: string;

  /** Is this what a scheme of the card asks for? */
  abstract fits(scheme: SecurityScheme): boolean;

  /** What a request carries. */
  abstract headersFor(request: CredentialRequest): RequestCredentials | Promise<RequestCredentials>;

  /**
   * Is told that what it gave was refused with 401.
   *
   * @returns true when it may have something else by now
   */
  rejected(_sent: RequestCredentials): boolean {
    return false;
  }
}
