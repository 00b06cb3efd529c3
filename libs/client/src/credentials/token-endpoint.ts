import { isRecord, type SecurityScheme } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import type { ClientHttp } from '../http/client-http.js';
import { DocumentCache } from '../http/document-cache.js';
import { isOrigin } from '../origins.js';
import type { CredentialRequest } from './credential.js';
import type { OAuth2ClientCredentialsOptions } from './oauth2-options.js';

/** Where tokens come from, and how the client may show who it is there. */
export interface TokenEndpoint {
  readonly url: string;
  /** Undefined when nobody says. */
  readonly authMethods?: readonly string[];
}

const METADATA_LIFETIME_MS = 600_000;

/** Where the card says that tokens, or metadata, are. */
export function cardEndpoints(scheme: SecurityScheme | undefined): { tokenUrl?: string; metadataUrl?: string } {
  if (scheme && 'oauth2SecurityScheme' in scheme) {
    const { flows, oauth2MetadataUrl } = scheme.oauth2SecurityScheme;
    return {
      tokenUrl: 'clientCredentials' in flows ? flows.clientCredentials.tokenUrl : undefined,
      metadataUrl: oauth2MetadataUrl,
    };
  }
  return scheme && 'openIdConnectSecurityScheme' in scheme
    ? { metadataUrl: scheme.openIdConnectSecurityScheme.openIdConnectUrl }
    : {};
}

/** Finds out where tokens come from. What the user configured goes first; what the card says must be allowed. */
export class TokenEndpoints {
  private readonly documents = new WeakMap<ClientHttp, DocumentCache>();

  constructor(private readonly options: Omit<OAuth2ClientCredentialsOptions, 'clientSecret'>) {}

  /** @throws A2AClientError `TOKEN_ENDPOINT_UNKNOWN`, `TOKEN_ENDPOINT_NOT_ALLOWED`, and what the HTTP client throws */
  async find(request: CredentialRequest): Promise<TokenEndpoint> {
    const { tokenUrl, issuer, metadataUrl } = this.options;
    if (tokenUrl !== undefined) return { url: tokenUrl };
    if (metadataUrl !== undefined) return this.read(await this.fetch(metadataUrl, request), metadataUrl);
    if (issuer !== undefined) return this.ofIssuer(issuer, request);
    return this.ofCard(request);
  }

  private async ofCard(request: CredentialRequest): Promise<TokenEndpoint> {
    const said = cardEndpoints(request.scheme);
    if (said.tokenUrl !== undefined) return { url: this.allowed(said.tokenUrl, request) };
    if (said.metadataUrl === undefined) {
      throw new A2AClientError(
        'TOKEN_ENDPOINT_UNKNOWN',
        'The card does not say where tokens come from: give tokenUrl, issuer or metadataUrl',
      );
    }
    const metadata = await this.fetch(this.allowed(said.metadataUrl, request), request);
    const endpoint = this.read(metadata, said.metadataUrl);
    return { ...endpoint, url: this.allowed(endpoint.url, request) };
  }

  /** @see RFC 8414, section 3 */
  private async ofIssuer(issuer: string, request: CredentialRequest): Promise<TokenEndpoint> {
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/\/+$/, '');
    const oauth = `${origin}/.well-known/oauth-authorization-server${path}`;
    const openId = `${origin}${path}/.well-known/openid-configuration`;
    let metadata: unknown;
    try {
      metadata = await this.fetch(oauth, request);
    } catch {
      request.signal?.throwIfAborted();
      metadata = await this.fetch(openId, request);
    }
    // Else somebody could speak for another.
    if (!isRecord(metadata) || metadata['issuer'] !== issuer) {
      throw new A2AClientError('TOKEN_ENDPOINT_UNKNOWN', `The metadata of ${origin} are not those of the issuer`);
    }
    return this.read(metadata, issuer);
  }

  private async fetch(url: string, { http, signal }: CredentialRequest): Promise<unknown> {
    const documents = this.documents.get(http) ?? new DocumentCache(http, { defaultLifetimeMs: METADATA_LIFETIME_MS });
    this.documents.set(http, documents);
    return (await documents.get(url, { signal })).value;
  }

  private read(metadata: unknown, from: string): TokenEndpoint {
    const url = isRecord(metadata) ? metadata['token_endpoint'] : undefined;
    if (!isRecord(metadata) || typeof url !== 'string' || !URL.canParse(url)) {
      throw new A2AClientError(
        'TOKEN_ENDPOINT_UNKNOWN',
        `The metadata of ${new URL(from).origin} name no token_endpoint`,
      );
    }
    const methods = metadata['token_endpoint_auth_methods_supported'];
    if (!Array.isArray(methods)) return { url };
    return { url, authMethods: methods.filter((method) => typeof method === 'string') };
  }

  /** A card must not send the client's secret wherever it likes. */
  private allowed(url: string, { origin }: CredentialRequest): string {
    const { tokenOrigins = [] } = this.options;
    const target = URL.canParse(url) ? new URL(url).origin : undefined;
    if (target !== undefined && [origin, ...tokenOrigins].some((entry) => isOrigin(entry, target))) return url;
    throw new A2AClientError(
      'TOKEN_ENDPOINT_NOT_ALLOWED',
      `The card wants tokens from ${target ?? 'something that is no URL'}, which is not the agent's own origin: ` +
        'give tokenUrl, issuer or metadataUrl, or list that origin in tokenOrigins',
    );
  }
}
