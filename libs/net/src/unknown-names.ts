import { nearName } from './near-name.js';

/** A name that there is not. */
export interface UnknownName {
  readonly name: string;
  /** `there is no such option; did you mean network?` */
  readonly description: string;
}

/** The names in a group of options that there are not, each with the one that was probably meant. */
export function unknownNames(given: object, known: readonly string[]): UnknownName[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearName(name, known);
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
      return { name, description: `there is no such option${hint}` };
    });
}
