import { A2AClientError } from '../client-error.js';
import type { RequestCredentials } from './credential-source.js';

/**
 * Credentials that are all needed, in one.
 *
 * @throws A2AClientError `CREDENTIALS_CONFLICT` when two want the same place
 */
export function mergeCredentials(parts: readonly RequestCredentials[]): RequestCredentials {
  return {
    headers: merged(
      'header',
      parts.map(({ headers }) => lowerCase(headers)),
    ),
    query: merged(
      'query parameter',
      parts.map(({ query }) => query),
    ),
    cookies: merged(
      'cookie',
      parts.map(({ cookies }) => cookies),
    ),
  };
}

/** Do two requests carry the same? */
export function sameCredentials(one: RequestCredentials, other: RequestCredentials): boolean {
  return canonical(one) === canonical(other);
}

function merged(
  what: string,
  parts: readonly (Readonly<Record<string, string>> | undefined)[],
): Readonly<Record<string, string>> {
  const all = new Map<string, string>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    if ((all.get(name) ?? value) !== value) {
      throw new A2AClientError(
        'CREDENTIALS_CONFLICT',
        `Two credentials want the same ${what} '${name}': the agent cannot be called with both`,
      );
    }
    all.set(name, value);
  }
  return Object.fromEntries(all);
}

export function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function canonical({ headers, query = {}, cookies = {} }: RequestCredentials): string {
  return JSON.stringify([lowerCase(headers), query, cookies].map((part) => Object.entries(part).sort()));
}
