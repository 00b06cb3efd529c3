import type { A2ASettings } from '../../a2a.options.js';

/** Where older peers send texts, below the agent's own path: `''` is that path itself. */
export const LEGACY_PATHS = ['', '/tasks/send', '/message:send', '/message/send'] as const;
export type LegacyPath = (typeof LEGACY_PATHS)[number];

/** Whether another binding is served at some of the paths, and so speaks with older peers itself. */
export interface LegacySharing {
  /** JSON-RPC at the agent's own path. */
  readonly byJsonRpc: boolean;
  /** HTTP+JSON below it: the body says whose a call is. */
  readonly byRest: boolean;
}

/** @returns undefined when older peers are not served */
export function legacySharing(settings: A2ASettings): LegacySharing | undefined {
  const { enabled, legacyAliases, pathPrefix, jsonRpcPath } = settings;
  return enabled && legacyAliases ? { byJsonRpc: jsonRpcPath === '/', byRest: pathPrefix === '/' } : undefined;
}

/**
 * The paths that need a route, for nothing else of the agent is served there.
 *
 * @param prefixed whether the other bindings are below a global prefix, out of which these paths stay
 */
export function ownLegacyPaths(settings: A2ASettings, prefixed: boolean): readonly LegacyPath[] {
  const sharing = legacySharing(settings);
  if (sharing === undefined) return [];
  const shared = new Set<LegacyPath>();
  if (sharing.byJsonRpc) shared.add('');
  if (sharing.byRest) shared.add('/message:send');
  if (sharing.byRest && settings.slashActionAliasesEnabled) shared.add('/message/send');
  return prefixed ? LEGACY_PATHS : LEGACY_PATHS.filter((path) => !shared.has(path));
}

/** A path as a route. A colon means a parameter, unless it is escaped, for which each framework has a way of its own. */
export function routeOf(path: string, adapter: string | undefined): string {
  return path.replace(':', adapter === 'fastify' ? '::' : '\\:');
}
