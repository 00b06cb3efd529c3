/** `A2A_LAWS=full` makes the laws be proved at their full size, which takes minutes. */
const FULL = process.env['A2A_LAWS'] === 'full';

/** How often, how long, how much: little in every run of the tests, all of it when asked for. */
export function scaled<T>(small: T, full: T): T {
  return FULL ? full : small;
}

/** Long enough for the full size on a slow machine. */
export const PATIENCE_MS = scaled(60_000, 900_000);
