import { errors, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { A2AError, type SecurityScheme } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { AuthenticationScheme, type AuthenticationRequest } from './authentication-scheme.js';
import { bearerChallenge } from './challenge.js';
import { authorizationOf } from './credentials.js';
import { algorithmsOf, keysOf } from './jwt-key-source.js';
import type { JwtKeys } from './jwt-keys.js';
import type { JwtSchemeOptions } from './jwt-scheme.options.js';
import { refusedCredentials } from './refused-credentials.js';
import { checkSeconds, schemeFault } from './scheme-options.js';

/**
 * Signed tokens in `Authorization: Bearer …`; `jwt` in the card unless named otherwise, as OpenID Connect when its
 * discovery document is named, else as HTTP bearer.
 *
 * Signature, `alg`, `iss`, `aud`, `exp`, `nbf` and the claim that names the caller are checked. While there are no keys
 * to check with, callers get 503.
 *
 * @see RFC 7519, RFC 8725
 * @publicApi
 */
export class JwtScheme extends AuthenticationScheme {
  override readonly name: string;
  override readonly definition: SecurityScheme;
  private readonly keys: JwtKeys;
  private readonly rules: JWTVerifyOptions;
  private readonly userClaim: string;
  private readonly manyIssuers: boolean;
  private readonly userOf: JwtSchemeOptions['user'];

  /** @throws A2AConfigurationError when the options cannot hold */
  constructor(options: JwtSchemeOptions) {
    super(options.obtainAt);
    const { name = 'jwt', userClaim = 'sub', requiredClaims = [], tokenType } = options;
    const { clockSkewSeconds = 30, maxTokenAgeSeconds } = options;
    const issuers = textsOf(name, 'issuer', options.issuer);
    this.name = name;
    this.userClaim = userClaim;
    this.manyIssuers = issuers.length > 1;
    if (this.manyIssuers && issuers.some((issuer) => issuer.includes('|'))) {
      throw schemeFault(name, 'one of several issuers must not have a |, which parts it from its users');
    }
    this.userOf = options.user;
    this.rules = {
      issuer: issuers,
      audience: textsOf(name, 'audience', options.audience),
      algorithms: algorithmsOf(name, options),
      clockTolerance: checkSeconds(name, 'clockSkewSeconds', clockSkewSeconds),
      requiredClaims: ['exp', userClaim, ...requiredClaims],
      ...(maxTokenAgeSeconds !== undefined && {
        maxTokenAge: checkSeconds(name, 'maxTokenAgeSeconds', maxTokenAgeSeconds),
      }),
      ...(tokenType !== undefined && { typ: tokenType }),
    };
    this.keys = keysOf(name, issuers, options);
    this.definition = definitionOf(options);
  }

  override async authenticate(request: AuthenticationRequest): Promise<A2AUser | undefined> {
    const token = authorizationOf(request, 'bearer');
    if (token === undefined) return undefined;
    const claims = await this.claimsOf(token);
    if (this.userOf !== undefined) return (await this.userOf(claims)) ?? notAUser();
    const user = claims[this.userClaim];
    if (typeof user !== 'string' || user === '') throw refused(`the claim ${this.userClaim} names nobody`);
    const scopes = scopesOf(claims);
    return {
      id: this.manyIssuers ? `${claims.iss ?? ''}|${user}` : user,
      authenticated: true,
      claims,
      ...(scopes !== undefined && { scopes }),
    };
  }

  /** Called by Nest when the app closes. */
  async onModuleDestroy(): Promise<void> {
    await this.keys.close();
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, this.keys.find, this.rules)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return this.claimsByAnyOf(error, token);
      // There are no keys at the moment, and that is not the caller's fault.
      if (error instanceof A2AError) throw error;
      throw refused(reasonOf(error));
    }
  }

  /** A token that does not say which key it was signed with may have been with any that fits. */
  private async claimsByAnyOf(keys: errors.JWKSMultipleMatchingKeys, token: string): Promise<JWTPayload> {
    let last: unknown = keys;
    for await (const key of keys) {
      try {
        return (await jwtVerify(token, key, this.rules)).payload;
      } catch (error) {
        last = error;
        // What is wrong with one key, its size for example, says nothing of the others.
        const isOfTheToken = error instanceof errors.JOSEError;
        if (isOfTheToken && !(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw refused(reasonOf(last));
  }
}

const refused = (reason: string): Error => refusedCredentials(reason, bearerChallenge('invalid_token'));

/** Which check failed: a code, and the name of a claim, never its value. */
function reasonOf(error: unknown): string {
  // The issuer publishes keys that are broken or too weak, and callers choose which one they name.
  if (!(error instanceof errors.JOSEError)) return 'the key cannot be used';
  return error instanceof errors.JWTClaimValidationFailed ? `${error.code} (${error.claim})` : error.code;
}

function notAUser(): never {
  throw refused('the claims name nobody');
}

function definitionOf({ description, openIdConnectUrl }: JwtSchemeOptions): SecurityScheme {
  const said = description !== undefined && { description };
  return openIdConnectUrl === undefined
    ? { httpAuthSecurityScheme: { ...said, scheme: 'Bearer', bearerFormat: 'JWT' } }
    : { openIdConnectSecurityScheme: { ...said, openIdConnectUrl } };
}

/** `scope` as in RFC 8693 and 9068, or `scp` as some issuers have it. */
function scopesOf({ scope, scp }: JWTPayload): string[] | undefined {
  const granted = scope ?? scp;
  if (typeof granted === 'string') return granted.split(' ').filter(Boolean);
  if (!Array.isArray(granted)) return undefined;
  return granted.filter((entry): entry is string => typeof entry === 'string');
}

function textsOf(scheme: string, option: string, value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
  if (texts.length !== list.length || texts.length === 0) {
    throw schemeFault(scheme, `${option} must be set: without it, tokens made for others would be taken`);
  }
  return texts;
}
