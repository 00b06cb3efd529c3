import { unknownNames } from 'nestjs-a2a/net';
import type { ConfigurationFault } from './a2a-configuration.error.js';

/**
 * The names of a group of options that there are not, each with the one that was probably meant.
 *
 * @param path of the group, `''` for the module's own options
 */
export function unknownOptions(path: string, given: object, known: readonly string[]): ConfigurationFault[] {
  return unknownNames(given, known).map(({ name, description }) => ({
    option: path === '' ? name : `${path}.${name}`,
    description,
  }));
}
