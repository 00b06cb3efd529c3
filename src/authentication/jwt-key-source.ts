import { Logger } from '@nestjs/common';
import { JwksClient } from './jwks.client.js';
import { FixedKeys, keySetOf, type JwtKeys } from './jwt-keys.js';
import type { JwtSchemeOptions } from './jwt-scheme.options.js';
import { RemoteKeys } from './remote-keys.js';
import { checkSeconds, schemeFault } from './scheme-options.js';

const MIN_SECRET_BYTES = 32;
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const SYMMETRIC = ['HS256', 'HS384', 'HS512'];

/** The algorithms that are taken. A secret and public keys never share one, or a public key would be a secret. */
export function algorithmsOf(name: string, { algorithms, secret }: JwtSchemeOptions): string[] {
  const possible = secret === undefined ? ASYMMETRIC : SYMMETRIC;
  const taken = algorithms ?? (secret === undefined ? ['RS256', 'PS256', 'ES256', 'EdDSA'] : ['HS256']);
  const wrong = taken.filter((algorithm) => !possible.includes(algorithm));
  if (wrong.length > 0 || taken.length === 0) {
    throw schemeFault(name, `algorithms must be of ${possible.join(', ')}, not ${wrong.join(', ') || 'none'}`);
  }
  return [...taken];
}

/** Where the keys come from. @throws A2AConfigurationError */
export function keysOf(name: string, issuers: readonly string[], options: JwtSchemeOptions): JwtKeys {
  const { jwksUrl, openIdConnectUrl, jwks, secret } = options;
  const given = [jwksUrl ?? openIdConnectUrl, jwks, secret].filter((source) => source !== undefined);
  if (given.length !== 1) {
    throw schemeFault(name, 'needs its keys from exactly one of jwksUrl, openIdConnectUrl, jwks and secret');
  }
  if (secret !== undefined) return secretKey(name, secret);
  if (jwks !== undefined) return fixedKeys(name, jwks);
  const client = clientFor(name, issuers, options);
  const { jwksCacheSeconds = 600, jwksCooldownSeconds = 30, jwksStaleSeconds = 86_400 } = options;
  return new RemoteKeys({
    fetch: () => client.fetch(),
    close: () => client.close(),
    cacheMs: checkSeconds(name, 'jwksCacheSeconds', jwksCacheSeconds) * 1000,
    cooldownMs: checkSeconds(name, 'jwksCooldownSeconds', jwksCooldownSeconds) * 1000,
    staleMs: checkSeconds(name, 'jwksStaleSeconds', jwksStaleSeconds) * 1000,
    logger: new Logger('A2A authentication'),
  });
}

function secretKey(name: string, secret: string | Uint8Array): JwtKeys {
  const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
  if (bytes.length < MIN_SECRET_BYTES) throw schemeFault(name, `secret must have ${MIN_SECRET_BYTES} bytes at least`);
  // Whoever has the certificate of the issuer could sign with it.
  if (Buffer.from(bytes).includes('-----BEGIN ')) {
    throw schemeFault(name, 'secret is a key in PEM form: public keys are given as jwks, jwksUrl or openIdConnectUrl');
  }
  return new FixedKeys(async () => bytes);
}

function fixedKeys(name: string, jwks: unknown): JwtKeys {
  try {
    return new FixedKeys(keySetOf(jwks));
  } catch {
    throw schemeFault(name, 'jwks must be a JSON Web Key Set: { "keys": [ … ] }');
  }
}

function clientFor(name: string, issuers: readonly string[], options: JwtSchemeOptions): JwksClient {
  const { jwksUrl, openIdConnectUrl = '', network } = options;
  try {
    const client = new JwksClient(jwksUrl === undefined ? { openIdConnectUrl, issuers } : { jwksUrl }, network);
    client.check();
    return client;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const option = jwksUrl === undefined ? 'openIdConnectUrl' : 'jwksUrl';
    const fix = 'What is not public HTTPS is allowed by network: list the host in hosts, and for http: set allowHttp';
    throw schemeFault(name, `${option} cannot be used: ${why}. ${fix}`);
  }
}
