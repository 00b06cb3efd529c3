import { describe, expect, it } from '@jest/globals';
import type { A2AModuleOptions } from '../../a2a.options.js';
import { resolveA2ASettings } from '../../config/settings.resolver.js';
import { LEGACY_PATHS, legacySharing, ownLegacyPaths, routeOf, type LegacyPath } from './legacy-paths.js';

const without = (...paths: LegacyPath[]): readonly LegacyPath[] => LEGACY_PATHS.filter((path) => !paths.includes(path));

describe('the paths of older peers', () => {
  it.each<[A2AModuleOptions, readonly LegacyPath[]]>([
    [{}, LEGACY_PATHS],
    [{ slashActionAliasesEnabled: true }, LEGACY_PATHS],
    [{ jsonRpcPath: '/' }, without('')],
    [{ pathPrefix: '/' }, without('/message:send')],
    [{ pathPrefix: '/', slashActionAliasesEnabled: true }, without('/message:send', '/message/send')],
  ])('are theirs alone, but for those that %j shares', (options, own) => {
    const settings = resolveA2ASettings({ legacyAliases: true, ...options }, {});
    expect(ownLegacyPaths(settings, false)).toEqual(own);
    // The other bindings are somewhere else then.
    expect(ownLegacyPaths(settings, true)).toEqual(LEGACY_PATHS);
    expect(legacySharing(settings)).toEqual({ byJsonRpc: !own.includes(''), byRest: options.pathPrefix === '/' });
  });

  it.each<A2AModuleOptions>([{}, { legacyAliases: true, enabled: false }])('are not served with %j', (options) => {
    const settings = resolveA2ASettings({ jsonRpcPath: '/', ...options }, {});
    expect(legacySharing(settings)).toBeUndefined();
    expect(ownLegacyPaths(settings, false)).toEqual([]);
  });

  it('have a colon that begins no parameter', () => {
    expect(['express', 'fastify', undefined].map((adapter) => routeOf('/message:send', adapter))).toEqual([
      '/message\\:send',
      '/message::send',
      '/message\\:send',
    ]);
  });
});
