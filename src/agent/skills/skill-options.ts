import { A2AConfigurationError } from '../../config/a2a-configuration.error.js';

/**
 * A time in seconds. One that is no number would never be over: every comparison with it is false.
 *
 * @throws A2AConfigurationError
 */
export function checkedSeconds(option: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw skillsFault(option, 'must be a number of seconds, 0 or more');
}

/** A number of things or bytes. @throws A2AConfigurationError */
export function checkedCount(option: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw skillsFault(option, 'must be a whole number, 1 or more');
}

/** A folder. No name at all would be the working directory. @throws A2AConfigurationError */
export function checkedFolder(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw skillsFault('folder', 'must be the path of a folder: is the variable set that it comes from?');
}

function skillsFault(option: string, description: string): A2AConfigurationError {
  return new A2AConfigurationError([{ option: `skills.${option}`, description }]);
}
