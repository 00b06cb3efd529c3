import { createHash, type JsonWebKey } from 'node:crypto';
import type { CacheableDocument } from '../../agent/card/card-request.js';

/**
 * The agent's public keys as they go over the wire.
 *
 * @see RFC 7517, section 5
 */
export class JwksDocument implements CacheableDocument {
  readonly json: string;
  readonly etag: string;
  readonly lastModified: string;
  // Short, so that a key that comes in is known before the old one goes.
  readonly cacheControl = 'public, max-age=300';
  readonly mediaType = 'application/jwk-set+json';

  constructor(keys: readonly JsonWebKey[], since: Date) {
    this.json = JSON.stringify({ keys });
    this.etag = `"${createHash('sha256').update(this.json).digest('hex')}"`;
    this.lastModified = since.toUTCString();
  }
}
