import type { ConfigurationFault } from './a2a-configuration.error.js';
import { nearName } from './near-name.js';

/**
 * The names of a group of options that there are not, each with the one that was probably meant.
 *
 * @param path of the group, `''` for the module's own options
 */
export function unknownOptions(path: string, given: object, known: readonly string[]): ConfigurationFault[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearName(name, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      const option = path === '' ? name : `${path}.${name}`;
      return { option, description: `there is no such option${hint}` };
    });
}
