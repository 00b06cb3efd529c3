/** Longest piece of a caller's text that goes into an error, in UTF-16 units. */
export const MAX_QUOTED_LENGTH = 200;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

/**
 * Makes foreign text fit for messages, logs and headers: no control characters, no halves of surrogate pairs, at most
 * `max` UTF-16 units.
 */
export function printable(text: string, max: number = MAX_QUOTED_LENGTH): string {
  // Cut first: a message may quote an id of megabytes.
  const short = text.length > max;
  const clean = (short ? text.slice(0, max - 1) : text).replace(UNPRINTABLE, '');
  return short ? `${clean}…` : clean;
}
