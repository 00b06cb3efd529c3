import { SecurityException } from '../errors/workflow.error.js';
import type { Headers } from './merge-headers.js';

/**
 * The headers that code of the host gave. Hosts write JavaScript too: a value that is not there would be left out on the
 * way, and the call made as nobody.
 *
 * @param source for the error, e.g. `The AuthProvider`
 * @throws SecurityException that names the header
 */
export function textHeaders(source: string, headers: Headers): Headers {
  for (const [name, value] of Object.entries<unknown>(headers)) {
    if (typeof value !== 'string') throw new SecurityException(`${source} gave no text for the header ${name}`);
  }
  return headers;
}
