import type { AgentCardSigningKey, PreparedSigningKey } from 'nestjs-a2a/protocol';

/**
 * How the agent's cards are signed.
 *
 * @see A2A 1.0, section 8.4
 * @publicApi
 */
export interface CardSigningOptions {
  /**
   * Private keys; each makes a signature. Two while one takes the place of another. A `jku` that a key leaves out is
   * the address of the agent's own JWKS, if `jwksPath` is given.
   */
  readonly keys: readonly AgentCardSigningKey[];
  /**
   * Path that the public keys are served at, as a JWKS, such as `.well-known/jwks.json`: below the agent's `path`,
   * outside the app's global prefix. Default: they are not served.
   */
  readonly jwksPath?: string;
  /**
   * Where a card has empty values, also sign it the way the official JavaScript and Python SDKs do, which leave those
   * out. What is left out is not protected by that second signature. Default `false`.
   */
  readonly sdkForm?: boolean;
}

/**
 * How cards are signed, after the keys were read. Prints no secret.
 *
 * @publicApi
 */
export interface CardSigningSettings {
  readonly keys: readonly PreparedSigningKey[];
  /** With a slash before it; `undefined` when the public keys are not served. */
  readonly jwksPath: string | undefined;
  readonly sdkForm: boolean;
}
