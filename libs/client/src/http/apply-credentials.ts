import { A2AClientError } from '../client-error.js';
import type { RequestCredentials } from '../credentials/credential-source.js';
import { lowerCase } from '../credentials/merge-credentials.js';
import type { ClientHttpRequest } from './client-http.js';

/**
 * A request that carries credentials. The one that was given stays without.
 *
 * @throws A2AClientError `CREDENTIALS_CONFLICT` when the request has something else in their place
 */
export function withCredentials(request: ClientHttpRequest, credentials: RequestCredentials): ClientHttpRequest {
  const { query = {}, cookies = {} } = credentials;
  const headers = lowerCase(request.headers);
  for (const [name, value] of Object.entries(lowerCase(credentials.headers))) {
    if ((headers[name] ?? value) !== value) {
      throw new A2AClientError(
        'CREDENTIALS_CONFLICT',
        `The header '${name}' is set already, by an interceptor perhaps: leave it to the credentials`,
      );
    }
    headers[name] = value;
  }
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  if (pairs.length > 0) headers['cookie'] = [headers['cookie'], ...pairs].filter((text) => text).join('; ');
  return { ...request, url: withQuery(request.url, query), headers };
}

// Not by way of URLSearchParams: that would write the rest of the query anew.
function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='));
  return pairs.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
