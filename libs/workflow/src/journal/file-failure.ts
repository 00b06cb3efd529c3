/**
 * Does an error of the file system have this code? Not told by its class: the errors of Node are of another realm for code
 * that a test runner has loaded.
 */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
