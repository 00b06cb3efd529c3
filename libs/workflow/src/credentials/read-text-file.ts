import { readFileSync } from 'node:fs';

/**
 * A file in UTF-8, without its byte order mark. In another encoding a password would quietly become another one.
 *
 * @throws when it cannot be read, or is in another encoding
 */
export function readTextFile(path: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
}
