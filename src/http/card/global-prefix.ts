import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/** What the app has before its routes, with a slash at its beginning and none at its end; `''` for nothing. */
export function globalPrefixOf(config: ApplicationConfig): string {
  const prefix = config.getGlobalPrefix().replace(/^\/+|\/+$/g, '');
  return prefix === '' ? '' : `/${prefix}`;
}

/**
 * Keeps one path of ours out of the app's global prefix: callers look for a card at a well-known place, whatever the
 * app has before its own routes. To be called before Nest registers routes.
 */
export function keepOutOfGlobalPrefix(
  config: ApplicationConfig,
  path: string,
  requestMethod: RequestMethod = RequestMethod.ALL,
): void {
  if (!config.getGlobalPrefix()) return;
  const options = config.getGlobalPrefixOptions();
  // A colon is held against routes, in which it is escaped in one way or another, and may come as it is as well.
  const pattern = path.replace(/[.~-]/g, '\\$&').replace(':', '(?:\\\\:|::|:)');
  const pathRegex = new RegExp(`^${pattern}/?$`, 'i');
  const own = { path: path.replace(':', '\\:'), requestMethod, pathRegex };
  config.setGlobalPrefixOptions({ ...options, exclude: [...(options.exclude ?? []), own] });
}
