import type { ClientHttp } from 'nestjs-a2a/client';
import { abortable } from 'nestjs-a2a/net';
import type { AgentCard, SecurityScheme } from 'nestjs-a2a/protocol';
import { SecurityException } from '../errors/workflow.error.js';
import { AgentAuthenticator } from './agent-authenticator.js';
import type { AuthProvider } from './auth-provider.js';
import type { AgentCredentials } from './credentials-config.js';
import { type Headers, mergeHeaders } from './merge-headers.js';
import { isHeaderName, type SchemeConfig } from './scheme-config.js';
import { SchemeLogin } from './scheme-login.js';
import { textHeaders } from './text-headers.js';

/** What a {@link CardAuthenticator} is made of. */
export interface CardAuthenticatorParts {
  readonly provider: AuthProvider | null;
  readonly credentials: AgentCredentials | null;
  /** Logs in; closed with the authenticator. */
  readonly http: ClientHttp;
  /** Whether connections show a certificate of the client, which is all that some schemes ask for. */
  readonly hasClientCertificate: boolean;
  /** Milliseconds of a clock that nobody sets. Default: `performance.now`. */
  readonly now?: () => number;
}

/** A scheme that is configured. */
interface Entry {
  readonly config: SchemeConfig;
  readonly login: SchemeLogin;
}

type Entries = ReadonlyMap<string, Entry>;

/**
 * Gives agents what their cards ask for. Of the requirements of a card one is enough, the first that can be fulfilled; of
 * one requirement every scheme is needed. Nothing is sent without what is asked for.
 *
 * The host's provider is asked besides, and may be the only source.
 *
 * @see A2A 1.0, section 4.5
 */
export class CardAuthenticator extends AgentAuthenticator {
  private readonly agents: ReadonlyMap<string, Entries>;

  constructor(private readonly parts: CardAuthenticatorParts) {
    super();
    const { http, now = () => performance.now() } = parts;
    this.agents = new Map(
      [...(parts.credentials ?? [])].map(([agent, schemes]): [string, Entries] => [
        agent,
        new Map(
          [...schemes].map(([scheme, config]): [string, Entry] => [
            scheme,
            { config, login: new SchemeLogin({ agent, scheme }, config, http, now) },
          ]),
        ),
      ]),
    );
  }

  async headersFor(agentName: string, card: AgentCard, signal: AbortSignal): Promise<Record<string, string>> {
    // Neither sees what the other gives: only so can they be found to contradict each other.
    const provided: Record<string, string> = {};
    await this.parts.provider?.applyAuth(agentName, card, provided, signal);
    signal.throwIfAborted();
    const own = textHeaders(`The AuthProvider for agent ${agentName}`, provided);
    return mergeHeaders(agentName, own, ...(await this.credentialHeaders(agentName, card, signal)));
  }

  override close(): Promise<void> {
    return this.parts.http.close();
  }

  private async credentialHeaders(agent: string, card: AgentCard, signal: AbortSignal): Promise<readonly Headers[]> {
    const names = this.schemesFor(agent, card);
    const entries = this.agents.get(agent);
    return Promise.all(
      names.map(async (name): Promise<Headers> => {
        const entry = entries?.get(name);
        if (entry === undefined) return {};
        const scheme = schemeOf(card, name);
        const header = headerOf(entry.config, scheme);
        if (header === undefined) throw failure(agent, `${NO_KEY_HEADER} (scheme=${name}), request blocked`);
        // Others may wait for the same login: who leaves does not end it.
        const token = await abortable(entry.login.token(), signal);
        return mergeHeaders(agent, headersWith(header, token), acceptHeader(entry.config));
      }),
    );
  }

  /** The schemes of the first requirement that can be fulfilled. */
  private schemesFor(agent: string, card: AgentCard): readonly string[] {
    const { securitySchemes = {}, securityRequirements = [] } = card;
    if (Object.keys(securitySchemes).length === 0 || securityRequirements.length === 0) return [];
    const alternatives = securityRequirements.map(({ schemes }) => Object.keys(schemes));
    const asked = alternatives.filter((names) => names.length > 0);
    const fulfilled = asked.find((names) => names.every((name) => this.has(agent, card, name)));
    if (fulfilled !== undefined) return fulfilled;
    // An empty requirement among the others: it also works without.
    if (asked.length < alternatives.length) return [];
    return this.unfulfilled(agent, card, asked);
  }

  private has(agent: string, card: AgentCard, name: string): boolean {
    if (this.agents.get(agent)?.has(name) === true) return true;
    const scheme = schemeOf(card, name);
    return this.parts.hasClientCertificate && scheme !== undefined && 'mtlsSecurityScheme' in scheme;
  }

  private unfulfilled(agent: string, card: AgentCard, asked: readonly (readonly string[])[]): readonly string[] {
    const { provider, credentials } = this.parts;
    const entries = this.agents.get(agent);
    if (entries === undefined || entries.size === 0) {
      if (provider !== null) return [];
      throw failure(
        agent,
        credentials === null
          ? 'AgentCard requires credentials but none are configured'
          : 'credential configuration is empty',
      );
    }
    const missing = asked[0]?.find((name) => !this.has(agent, card, name)) ?? '';
    throw failure(agent, `no configuration for scheme ${missing}`);
  }
}

function schemeOf({ securitySchemes = {} }: AgentCard, name: string): SecurityScheme | undefined {
  return Object.hasOwn(securitySchemes, name) ? securitySchemes[name] : undefined;
}

const NO_KEY_HEADER = 'give the auth_header of an API key that is no header';
/** Others write these: a card that names one of them would have the key go lost, or the call. */
const TAKEN = new Set(['__proto__', 'a2a-extensions', 'a2a-version', 'accept', 'content-type']);

interface TokenHeader {
  readonly name: string;
  readonly prefix: string;
}

/** Undefined for a key that would have to stand in the URL or a cookie, or in a header that is not free. */
function headerOf({ header, prefix }: SchemeConfig, scheme: SecurityScheme | undefined): TokenHeader | undefined {
  if (header !== undefined) return { name: header, prefix: prefix ?? '' };
  if (scheme === undefined || !('apiKeySecurityScheme' in scheme)) {
    return { name: 'Authorization', prefix: prefix ?? 'Bearer ' };
  }
  const { location, name } = scheme.apiKeySecurityScheme;
  const isFree = location === 'header' && isHeaderName(name) && !TAKEN.has(name.toLowerCase());
  return isFree ? { name, prefix: prefix ?? '' } : undefined;
}

function headersWith({ name, prefix }: TokenHeader, token: string): Headers {
  return { [name]: prefix + token };
}

function acceptHeader({ accept }: SchemeConfig): Headers {
  return accept === undefined ? {} : { Accept: accept };
}

function failure(agent: string, reason: string): SecurityException {
  return new SecurityException(`Authentication failed for agent ${agent}: ${reason}`);
}
