import { normalisePath } from '../config/path-option.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';

/**
 * The path of an agent with a leading slash and without a trailing one, `''` for the root.
 *
 * @throws A2AConfigurationError
 */
export function normaliseAgentPath(path: string): string {
  if (path === '' || path === '/') return '';
  const given: unknown = path;
  const normal = typeof given === 'string' ? normalisePath(given.startsWith('/') ? given : `/${given}`) : undefined;
  if (normal !== undefined) return normal;
  throw new A2AConfigurationError([
    { option: 'path', description: `${JSON.stringify(path)} is no path; use segments of letters, digits and -._~` },
  ]);
}
