import { createHash } from 'node:crypto';
import type { CacheableDocument } from '../../agent/card/card-request.js';

/** The older card as it goes over the wire. It lives as long as the card of today that it was made of. */
export class LegacyCardDocument implements CacheableDocument {
  readonly json: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly cacheControl: string;

  constructor(card: object, { lastModified, cacheControl }: Pick<CacheableDocument, 'lastModified' | 'cacheControl'>) {
    this.json = JSON.stringify(card);
    this.etag = `"${createHash('sha256').update(this.json).digest('hex')}"`;
    this.lastModified = lastModified;
    this.cacheControl = cacheControl;
  }
}
