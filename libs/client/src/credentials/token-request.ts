import { isRecord, parseJson } from 'nestjs-a2a/protocol';
import { A2AClientError, retryAfterSecondsOf } from '../client-error.js';
import type { ClientHttp, ClientHttpAnswer } from '../http/client-http.js';
import type { OAuth2ClientCredentialsOptions } from './oauth2-options.js';
import { checkSecret } from './secrets.js';
import type { TokenEndpoint } from './token-endpoint.js';

/** A token as it was issued. */
export interface IssuedToken {
  readonly token: string;
  /** Undefined when the endpoint does not say. */
  readonly lifetimeMs?: number;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 65_536;

/**
 * Asks for a token by the client credentials grant.
 *
 * @throws A2AClientError `TOKEN_REQUEST_FAILED`; what the endpoint says is not repeated but for its error code
 * @see RFC 6749, section 4.4
 */
export async function requestToken(
  http: ClientHttp,
  endpoint: TokenEndpoint,
  options: OAuth2ClientCredentialsOptions,
  scopes: readonly string[],
  signal: AbortSignal,
): Promise<IssuedToken> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  if (options.audience !== undefined) form.set('audience', options.audience);
  if (options.resource !== undefined) form.set('resource', options.resource);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { clientId, clientSecret } = options;
  if (methodFor(endpoint, options) === 'client_secret_post') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  const answer = await http.request(
    { method: 'POST', url: endpoint.url, headers, body: form.toString(), signal },
    { totalTimeoutMs: TIMEOUT_MS, maxAnswerBytes: MAX_ANSWER_BYTES },
  );
  return tokenIn(answer, new URL(endpoint.url).origin);
}

function methodFor({ authMethods }: TokenEndpoint, { authMethod }: OAuth2ClientCredentialsOptions): string {
  if (authMethod !== undefined) return authMethod;
  const onlyPost = authMethods?.includes('client_secret_basic') === false && authMethods.includes('client_secret_post');
  return onlyPost ? 'client_secret_post' : 'client_secret_basic';
}

/** @see RFC 6749, section 2.3.1 */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

function tokenIn(answer: ClientHttpAnswer, origin: string): IssuedToken {
  const body = jsonOf(answer.body);
  if (answer.status !== 200) {
    const code = body?.['error'];
    const shown = typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? ` (${code})` : '';
    throw failed(origin, `the answer is ${answer.status}${shown}`, retryAfterSecondsOf(answer.headers['retry-after']));
  }
  const { access_token: token, token_type: type = 'Bearer', expires_in: seconds } = body ?? {};
  if (typeof token !== 'string' || token === '') throw failed(origin, 'the answer has no access_token');
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer') throw failed(origin, 'the token is no bearer token');
  checkSecret('The token', token);
  const lifetime = typeof seconds === 'string' && /^\d{1,10}$/.test(seconds) ? Number(seconds) : seconds;
  if (typeof lifetime !== 'number' || !Number.isFinite(lifetime)) return { token };
  return { token, lifetimeMs: Math.max(lifetime, 0) * 1000 };
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function failed(origin: string, reason: string, retryAfterSeconds?: number): A2AClientError {
  return new A2AClientError('TOKEN_REQUEST_FAILED', `No token from ${origin}: ${reason}`, { retryAfterSeconds });
}
