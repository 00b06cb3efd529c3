import type { JSONWebKeySet, JWTPayload } from 'jose';
import type { AddressPolicyOptions } from 'nestjs-a2a/net';
import type { A2AUser } from '../authorization/a2a-user.js';
import type { SchemeOptions } from './scheme-options.js';

/**
 * How `JwtScheme` checks. The keys come from exactly one of `jwksUrl`, `openIdConnectUrl` (both may be given: then the
 * card names the second and keys come from the first), `jwks` and `secret`.
 *
 * @publicApi
 */
export interface JwtSchemeOptions extends SchemeOptions {
  /** What `iss` must be. With several, the caller's id is `<iss>|<sub>`, since issuers name their users on their own. */
  readonly issuer: string | readonly string[];
  /** What `aud` must be, or hold. */
  readonly audience: string | readonly string[];
  /** Where the issuer's public keys are (JWKS). Public HTTPS, unless `network` says more. */
  readonly jwksUrl?: string;
  /**
   * The issuer's OpenID Connect discovery document: the card names it, and the keys are where its `jwks_uri` says.
   *
   * @see OpenID Connect Discovery 1.0, section 4
   */
  readonly openIdConnectUrl?: string;
  /** The issuer's public keys themselves. */
  readonly jwks?: JSONWebKeySet;
  /** A secret shared with the issuer, of 32 bytes at least. Then only HS256, HS384 and HS512 are taken. */
  readonly secret?: string | Uint8Array;
  /** Signature algorithms that are taken. Default: RS256, PS256, ES256 and EdDSA; HS256 with a `secret`. */
  readonly algorithms?: readonly string[];
  /** How far the clocks of issuer and server may differ, in seconds. Default 30. */
  readonly clockSkewSeconds?: number;
  /** Tokens issued (`iat`) longer ago are refused, in seconds. Default: `exp` alone decides, which must be there. */
  readonly maxTokenAgeSeconds?: number;
  /** The claim that names the caller. Default `sub`. */
  readonly userClaim?: string;
  /** Claims that must be there, besides `exp` and the one that names the caller. */
  readonly requiredClaims?: readonly string[];
  /** What `typ` in the token's header must be, such as `at+jwt` (RFC 9068). Default: not looked at. */
  readonly tokenType?: string;
  /** Makes the caller of the checked claims; `undefined` refuses them. Default: the id above, the claims, and the scopes of `scope` or `scp`. */
  readonly user?: (claims: JWTPayload) => A2AUser | undefined | Promise<A2AUser | undefined>;
  /** How long fetched keys are used before they are fetched anew, in seconds. Default 600. */
  readonly jwksCacheSeconds?: number;
  /** Keys are not fetched more often than this, in seconds, whatever tokens say. Default 30. */
  readonly jwksCooldownSeconds?: number;
  /** How long keys are used beyond `jwksCacheSeconds` while they cannot be fetched, in seconds. Default 86400. */
  readonly jwksStaleSeconds?: number;
  /** What may be reached for the keys besides public HTTPS. */
  readonly network?: AddressPolicyOptions;
}
