const PREFIX = 'A2AClient';

/**
 * The token under which the client of an agent is injected; for `overrideProvider` in tests, for example.
 *
 * @param name as in `forFeature`; without it: the token of the client that has no agent yet, for `client.at(url)`
 * @param root as in `forRoot`, where an app has several
 * @publicApi
 */
export function getA2AClientToken(name?: string, root?: string): string {
  const prefix = root === undefined ? PREFIX : `${PREFIX}@${encodeURIComponent(root)}`;
  return name === undefined ? prefix : `${prefix}:${name}`;
}

/** The token of what the clients of a root share. */
export function getClientRootToken(root?: string): string {
  return `${getA2AClientToken(undefined, root)}#root`;
}
