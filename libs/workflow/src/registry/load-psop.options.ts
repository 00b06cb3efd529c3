import type { ClientNetwork } from 'nestjs-a2a/client';
import { isBlank } from '../model/blank.js';
import { TlsPolicy } from '../tls/tls.policy.js';
import { bearerHeaders, HttpAuthProvider } from './http-auth.provider.js';
import { Timeouts } from './timeouts.js';

/**
 * Options of a call to an orchestration center.
 *
 * @publicApi
 */
export interface LoadPsopOptions {
  /** Default: nobody. */
  readonly auth?: HttpAuthProvider | null;
  /** Default: `TlsPolicy.strict()`. */
  readonly tls?: TlsPolicy;
  /** Default: 30 seconds each. */
  readonly timeouts?: Timeouts;
  /** Ends the call; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Where the center may be. Default: `'any'`, since the host names it. */
  readonly network?: ClientNetwork;
  /** Of an answer. Default: 16 MiB. */
  readonly maxAnswerBytes?: number;
}

/** Credentials and trust as positions: an access token with a truth value, or a provider with a policy. */
export type LoadPsopArguments =
  | readonly [options?: LoadPsopOptions]
  | readonly [accessToken: string | null, sslVerify: boolean, timeouts?: Timeouts]
  | readonly [auth: HttpAuthProvider | null, tls: TlsPolicy, timeouts?: Timeouts];

/** Options, complete. */
export interface LoadPsopSettings extends Omit<Required<LoadPsopOptions>, 'signal'> {
  readonly signal: AbortSignal | undefined;
}

const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;

export function loadPsopSettings(given: LoadPsopArguments): LoadPsopSettings {
  const { auth, tls, timeouts, signal, network, maxAnswerBytes } = optionsOf(given);
  return {
    auth: auth ?? null,
    tls: tls ?? TlsPolicy.strict(),
    timeouts: timeouts ?? new Timeouts(),
    signal,
    network: network ?? 'any',
    maxAnswerBytes: maxAnswerBytes ?? DEFAULT_MAX_ANSWER_BYTES,
  };
}

function optionsOf([first, second, timeouts]: LoadPsopArguments): LoadPsopOptions {
  // Unlike at agents, `false` leaves the name of the host unchecked as well.
  const tls = typeof second === 'boolean' ? (second ? TlsPolicy.strict() : TlsPolicy.insecure()) : second;
  if (first === undefined || first === null) return { tls, timeouts };
  if (typeof first === 'string') return { auth: new AccessToken(first), tls, timeouts };
  return 'headersFor' in first ? { auth: first, tls, timeouts } : first;
}

class AccessToken extends HttpAuthProvider {
  constructor(private readonly token: string) {
    super();
  }

  headersFor(): Readonly<Record<string, string>> {
    return isBlank(this.token) ? {} : bearerHeaders(this.token);
  }
}
