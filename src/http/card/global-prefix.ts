import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * Keeps one path of ours out of the app's global prefix: callers look for a card at a well-known place, whatever the
 * app has before its own routes. To be called before Nest registers routes.
 */
export function keepOutOfGlobalPrefix(config: ApplicationConfig, path: string): void {
  if (!config.getGlobalPrefix()) return;
  const options = config.getGlobalPrefixOptions();
  const pathRegex = new RegExp(`^${path.replace(/[.~-]/g, '\\$&')}/?$`, 'i');
  const own = { path, requestMethod: RequestMethod.ALL, pathRegex };
  config.setGlobalPrefixOptions({ ...options, exclude: [...(options.exclude ?? []), own] });
}
