import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import type { A2ASettings } from '../../a2a.options.js';
import { globalPrefixOf, keepOutOfGlobalPrefix } from '../card/global-prefix.js';
import { mountAt } from '../mount-at.js';
import type { LegacyControllers } from './legacy-controllers.types.js';
import { legacySharing, ownLegacyPaths, routeOf } from './legacy-paths.js';

/** Of the older card, below the agent's own path. */
export const LEGACY_CARD_PATH = '/.well-known/agent.json';

/**
 * Where older peers are served. They know one address, the one that has the card below it, and make the others of it:
 * so these stay out of the app's global prefix, as the card does.
 */
export class LegacyMount {
  /** @param controllers absent when the host brings its own */
  constructor(
    private readonly controllers: LegacyControllers | undefined,
    private readonly settings: A2ASettings,
    private readonly agentPath: string,
  ) {
    for (const controller of [controllers?.aliases, controllers?.root, controllers?.card]) mountAt(controller, false);
  }

  /** Those that are theirs alone. */
  pathsIn(app: ApplicationConfig): string[] {
    if (this.controllers === undefined) return [];
    const own = ownLegacyPaths(this.settings, globalPrefixOf(app) !== '');
    return own.map((path) => this.agentPath + path || '/');
  }

  /** @param adapter name of the framework, whose routes have a syntax of their own */
  beforeRoutes(app: ApplicationConfig, adapter: string | undefined): void {
    const { controllers, agentPath } = this;
    if (controllers === undefined || legacySharing(this.settings) === undefined) return;
    const root = agentPath || '/';
    const paths = this.pathsIn(app);
    const aliases = paths.filter((path) => path !== root);
    mountAt(
      controllers.aliases,
      aliases.map((path) => routeOf(path, adapter)),
    );
    for (const path of aliases) keepOutOfGlobalPrefix(app, path);
    if (paths.includes(root)) {
      mountAt(controllers.root, root);
      // What the host has there for other verbs stays where it was.
      keepOutOfGlobalPrefix(app, root, RequestMethod.POST);
    }
    const cardPath = agentPath + LEGACY_CARD_PATH;
    mountAt(controllers.card, cardPath);
    keepOutOfGlobalPrefix(app, cardPath);
  }
}
