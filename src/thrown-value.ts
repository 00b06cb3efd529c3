/** What is written of a value that cannot be written down. */
const UNPRINTABLE = 'a value that cannot be printed';

/**
 * What was thrown, in a line for the log: the message of an error, any other value as text. Never throws, whatever the
 * value is.
 */
export function textOfThrown(value: unknown): string {
  return attempt(() => (value instanceof Error ? textIn(value.message) : undefined)) ?? plainTextOf(value);
}

/** The same with the stack of an error, where it has one. Never throws. */
export function stackOfThrown(value: unknown): string {
  return attempt(() => (value instanceof Error ? textIn(value.stack) : undefined)) ?? textOfThrown(value);
}

function plainTextOf(value: unknown): string {
  return attempt(() => String(value)) ?? UNPRINTABLE;
}

// A message or a stack is a text only by custom.
function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Even `instanceof` can throw: a proxy answers as it likes. */
function attempt(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
