/** A {@link TlsContext} cannot be made of what was given. The message names the setting, never a key or a password. */
export class TlsContextError extends Error {
  readonly code = 'TLS_CONTEXT';

  constructor(message: string, cause?: unknown) {
    super(`No TLS context: ${message}`, cause === undefined ? undefined : { cause });
    this.name = 'TlsContextError';
  }
}
