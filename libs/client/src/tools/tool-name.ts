const MAX_LENGTH = 64;
const NOT_LEGAL = /[^A-Za-z0-9_-]+/g;
const ACCENTS = /\p{M}+/gu;
const EDGES = /^[_-]+|[_-]+$/g;
/** Some providers of models want a letter there. */
const STARTS_WELL = /^[A-Za-z_]/;
/** Of a text that is cut anyway, more is not looked at. */
const MAX_RAW = 256;

/** The letters, digits, `_` and `-` of a text; what is between them becomes `_`. */
export function legalName(text: string): string {
  return text
    .slice(0, MAX_RAW)
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .replaceAll(NOT_LEGAL, '_')
    .replaceAll(EDGES, '')
    .slice(0, MAX_LENGTH);
}

/** Gives out names that every provider of models allows, each once. */
export class ToolNames {
  private readonly taken = new Set<string>();

  /** @param prefix before each name, with `_` between */
  constructor(private readonly prefix = '') {}

  /** @param wishes the first that has legal characters is taken */
  next(...wishes: readonly string[]): string {
    const wish = wishes.map(legalName).find((name) => name !== '') ?? 'skill';
    const start = legalName(this.prefix);
    const whole = start === '' ? wish : `${start}_${wish}`;
    const name = STARTS_WELL.test(whole) ? whole : `skill_${whole}`;
    return this.unique(name);
  }

  private unique(name: string): string {
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : `_${number}`;
      const candidate = `${name.slice(0, MAX_LENGTH - suffix.length)}${suffix}`;
      // Nobody should have to tell two tools apart by upper and lower case.
      const key = candidate.toLowerCase();
      if (this.taken.has(key)) continue;
      this.taken.add(key);
      return candidate;
    }
  }
}
