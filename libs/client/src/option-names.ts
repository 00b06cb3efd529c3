import { unknownNames } from 'nestjs-a2a/net';
import { isRecord } from 'nestjs-a2a/protocol';
import { A2AClientError } from './client-error.js';

/** Every name of a group of options: the compiler misses those that are forgotten here. */
export type NamesOf<T> = Readonly<Record<keyof T, true>>;

/** Settings are wrong: they are refused before anything is sent. */
export const INVALID_CONFIGURATION = 'INVALID_CONFIGURATION';

/**
 * A misspelled option is no default: whoever writes `netwrok` wants to be told.
 *
 * @param what the options belong to, `A2AClient` for example
 * @throws A2AClientError with the option that was probably meant
 */
export function checkNames<T>(what: string, given: unknown, names: NamesOf<T>, code = INVALID_CONFIGURATION): void {
  if (!isRecord(given)) throw new A2AClientError(code, `${what}: right is an object with the options`);
  const unknown = unknownNames(given, Object.keys(names));
  if (unknown.length === 0) return;
  const told = unknown.map(({ name, description }) => `${name}: ${description}`).join('; ');
  throw new A2AClientError(code, `${what}: ${told}`);
}
