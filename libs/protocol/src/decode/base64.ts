// A search for the first character outside, not a match of the whole: that one would backtrack over megabytes.
const OUTSIDE_STANDARD = /[^A-Za-z0-9+/]/;
const OUTSIDE_BOTH = /[^A-Za-z0-9+/_-]/;

/**
 * Brings base64 of either alphabet, padded or not, into padded base64 of the standard alphabet. A string that is so
 * already is given back itself, however long. Unused bits in the last digit may be set.
 *
 * @returns nothing when it is no base64
 */
export function normalizeBase64(text: string): string | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const length = text.length - padding;
  const rest = length % 4;
  if (rest === 1 || (padding > 0 && rest + padding !== 4)) return undefined;
  const wanted = rest === 0 ? 0 : 4 - rest;
  if (endsAt(OUTSIDE_STANDARD, text, length)) return padding === wanted ? text : text + '='.repeat(wanted);
  if (!endsAt(OUTSIDE_BOTH, text, length)) return undefined;
  return text.slice(0, length).replaceAll('-', '+').replaceAll('_', '/') + '='.repeat(wanted);
}

function endsAt(outside: RegExp, text: string, length: number): boolean {
  const first = text.search(outside);
  return first < 0 || first === length;
}
