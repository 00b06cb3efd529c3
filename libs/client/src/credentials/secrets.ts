import { A2AClientError } from '../client-error.js';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Text that can stand in a header. The error does not repeat it.
 *
 * @throws A2AClientError `CREDENTIAL_INVALID`
 */
export function checkSecret(what: string, secret: unknown): string {
  if (typeof secret !== 'string' || secret === '') throw invalid(`${what} is empty`);
  // Control characters could end the header and start another; what is beyond Latin-1 has no bytes on the wire.
  if (!/^[\x20-\x7e\x80-\xff]+$/.test(secret)) throw invalid(`${what} has characters that no header can hold`);
  if (secret.trim() !== secret) throw invalid(`${what} starts or ends with white space`);
  return secret;
}

/** @throws A2AClientError `CREDENTIAL_INVALID` */
export function checkCookieValue(what: string, secret: string): string {
  if (/[\s",;\\]|[^\x21-\x7e]/.test(secret)) throw invalid(`${what} has characters that no cookie can hold`);
  return secret;
}

/**
 * Name of a header or cookie, which a card may have chosen.
 *
 * @throws A2AClientError `CREDENTIAL_INVALID`
 */
export function checkName(what: string, name: string): string {
  if (!NAME.test(name)) throw invalid(`${what} has no valid name`);
  return name;
}

export function invalid(problem: string): A2AClientError {
  return new A2AClientError('CREDENTIAL_INVALID', problem);
}
