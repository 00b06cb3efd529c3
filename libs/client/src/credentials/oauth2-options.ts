/**
 * Options of {@link OAuth2ClientCredentials}.
 *
 * @publicApi
 */
export interface OAuth2ClientCredentialsOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where tokens come from. Without it, `issuer` or `metadataUrl`: what the card says. */
  readonly tokenUrl?: string;
  /** Who issues the tokens; its metadata say where they come from (RFC 8414, or OpenID Connect Discovery). */
  readonly issuer?: string;
  /** The metadata themselves. */
  readonly metadataUrl?: string;
  /** Default: what the card asks for. */
  readonly scopes?: readonly string[];
  readonly audience?: string;
  /** @see RFC 8707 */
  readonly resource?: string;
  /** How the client shows its secret. Default: as the metadata say, else `client_secret_basic`. */
  readonly authMethod?: 'client_secret_basic' | 'client_secret_post';
  /**
   * Origins, besides the one of the agent, from which a card may make the client fetch tokens. Whoever is listed here
   * may see the secret.
   */
  readonly tokenOrigins?: readonly string[];
  /** Milliseconds that only go forward. Default: those of the process. */
  readonly now?: () => number;
}
