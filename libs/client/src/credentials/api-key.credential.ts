import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { Credential, type CredentialRequest } from './credential.js';
import type { RequestCredentials } from './credential-source.js';
import { checkCookieValue, checkName, checkSecret, invalid } from './secrets.js';

/**
 * Where an API key goes.
 *
 * @publicApi
 */
export interface ApiKeyPlace {
  readonly location: 'header' | 'query' | 'cookie';
  readonly name: string;
}

const DEFAULT_PLACE: ApiKeyPlace = { location: 'header', name: 'X-API-Key' };

/**
 * An API key. It goes where the card's scheme says, and into `X-API-Key` where the card says nothing.
 *
 * @see A2A 1.0, section 4.5.2
 * @publicApi
 */
export class ApiKeyCredential extends Credential {
  readonly kind = 'API key';
  readonly #key: string;

  /**
   * @param place the only one where it may go; for cards that say nothing, and for clients with several keys
   * @throws A2AClientError `CREDENTIAL_INVALID`
   */
  constructor(
    key: string,
    private readonly place?: ApiKeyPlace,
  ) {
    super();
    this.#key = checkSecret('The API key', key);
  }

  fits(scheme: SecurityScheme): boolean {
    const place = placeIn(scheme);
    if (!place) return false;
    const { place: own } = this;
    const isHeader = place.location === 'header';
    const sameName = own && (isHeader ? fold(own.name) === fold(place.name) : own.name === place.name);
    return !own || (own.location === place.location && sameName === true);
  }

  headersFor({ scheme }: CredentialRequest): RequestCredentials {
    const { location, name } = (scheme && placeIn(scheme)) ?? this.place ?? DEFAULT_PLACE;
    switch (location) {
      case 'query':
        return { headers: {}, query: { [name]: this.#key } };
      case 'cookie':
        return {
          headers: {},
          cookies: { [checkName('The cookie of the API key', name)]: checkCookieValue('The API key', this.#key) },
        };
      default:
        return { headers: { [headerName(name)]: this.#key } };
    }
  }
}

function placeIn(scheme: SecurityScheme): ApiKeyPlace | undefined {
  if (!('apiKeySecurityScheme' in scheme)) return undefined;
  const { location, name } = scheme.apiKeySecurityScheme;
  const known = (['header', 'query', 'cookie'] as const).find((place) => place === location.toLowerCase());
  return known && { location: known, name };
}

/** Headers that say how a request is read: a card must not get at them by the name of its key. */
const NOT_FOR_KEYS = /^(a2a-.*|accept.*|cache-control|content-.*|cookie|host|if-.*|last-event-id|origin|range)$/;

function headerName(written: string): string {
  const name = fold(checkName('The header of the API key', written));
  if (NOT_FOR_KEYS.test(name)) throw invalid(`The card asks for the API key in the header '${name}', which is taken`);
  return name;
}

function fold(name: string): string {
  return name.toLowerCase();
}
