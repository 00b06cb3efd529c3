/**
 * An API key in a header, a query parameter or a cookie.
 *
 * @see A2A 1.0, section 4.5.2
 */
export interface APIKeySecurityScheme {
  /** For people. */
  description?: string;
  /** `header`, `query` or `cookie`. */
  location: string;
  /** Name of the header, parameter or cookie. */
  name: string;
}

/**
 * An HTTP authentication scheme.
 *
 * @see A2A 1.0, section 4.5.3
 */
export interface HTTPAuthSecurityScheme {
  /** For people. */
  description?: string;
  /** Name of the scheme, e.g. `Bearer`. */
  scheme: string;
  /** A hint on the form of a bearer token, e.g. `JWT`. */
  bearerFormat?: string;
}

/** OAuth 2.0 authorization code flow. */
export interface AuthorizationCodeOAuthFlow {
  /** Where the user is sent. */
  authorizationUrl: string;
  /** Where tokens come from. */
  tokenUrl: string;
  /** Where tokens are refreshed. */
  refreshUrl?: string;
  /** Scope name to description. */
  scopes: Record<string, string>;
  /** Is PKCE demanded? */
  pkceRequired?: boolean;
}

/** OAuth 2.0 client credentials flow. */
export interface ClientCredentialsOAuthFlow {
  /** Where tokens come from. */
  tokenUrl: string;
  /** Where tokens are refreshed. */
  refreshUrl?: string;
  /** Scope name to description. */
  scopes: Record<string, string>;
}

/**
 * OAuth 2.0 implicit flow.
 *
 * @deprecated by OAuth 2.1: use the authorization code flow
 */
export interface ImplicitOAuthFlow {
  /** Where the user is sent. */
  authorizationUrl?: string;
  /** Where tokens are refreshed. */
  refreshUrl?: string;
  /** Scope name to description. */
  scopes?: Record<string, string>;
}

/**
 * OAuth 2.0 resource owner password flow.
 *
 * @deprecated by OAuth 2.1: use the authorization code or the device code flow
 */
export interface PasswordOAuthFlow {
  /** Where tokens come from. */
  tokenUrl?: string;
  /** Where tokens are refreshed. */
  refreshUrl?: string;
  /** Scope name to description. */
  scopes?: Record<string, string>;
}

/** OAuth 2.0 device code flow (RFC 8628). */
export interface DeviceCodeOAuthFlow {
  /** Where a device asks for its code. */
  deviceAuthorizationUrl: string;
  /** Where tokens come from. */
  tokenUrl: string;
  /** Where tokens are refreshed. */
  refreshUrl?: string;
  /** Scope name to description. */
  scopes: Record<string, string>;
}

/**
 * Exactly one OAuth 2.0 flow.
 *
 * @see A2A 1.0, section 4.5.7
 */
export type OAuthFlows =
  | { authorizationCode: AuthorizationCodeOAuthFlow }
  | { clientCredentials: ClientCredentialsOAuthFlow }
  | { implicit: ImplicitOAuthFlow }
  | { password: PasswordOAuthFlow }
  | { deviceCode: DeviceCodeOAuthFlow };

/**
 * OAuth 2.0.
 *
 * @see A2A 1.0, section 4.5.4
 */
export interface OAuth2SecurityScheme {
  /** For people. */
  description?: string;
  /** The flow. */
  flows: OAuthFlows;
  /** Authorization server metadata (RFC 8414). */
  oauth2MetadataUrl?: string;
}

/**
 * OpenID Connect.
 *
 * @see A2A 1.0, section 4.5.5
 */
export interface OpenIdConnectSecurityScheme {
  /** For people. */
  description?: string;
  /** The discovery document. */
  openIdConnectUrl: string;
}

/**
 * Client certificates.
 *
 * @see A2A 1.0, section 4.5.6
 */
export interface MutualTlsSecurityScheme {
  /** For people. */
  description?: string;
}

/**
 * Exactly one way to authenticate; the member's name says which.
 *
 * @see A2A 1.0, section 4.5.1
 */
export type SecurityScheme =
  | { apiKeySecurityScheme: APIKeySecurityScheme }
  | { httpAuthSecurityScheme: HTTPAuthSecurityScheme }
  | { oauth2SecurityScheme: OAuth2SecurityScheme }
  | { openIdConnectSecurityScheme: OpenIdConnectSecurityScheme }
  | { mtlsSecurityScheme: MutualTlsSecurityScheme };

/** A list of strings as a map's value, e.g. the scopes a requirement asks for. */
export interface StringList {
  /** The strings; may be empty. */
  list: string[];
}

/** Schemes that are all needed together; entries of an array of these are alternatives. */
export interface SecurityRequirement {
  /** Scheme name, as in the card's `securitySchemes`, to scopes. */
  schemes: Record<string, StringList>;
}
