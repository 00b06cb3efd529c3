/** Something that is served from memory and may be kept by caches. */
export interface CacheableDocument {
  readonly json: string;
  /** Entity tag, quotes included. */
  readonly etag: string;
  /** HTTP date. */
  readonly lastModified: string;
  readonly cacheControl: string;
  /** Default `application/json`. */
  readonly mediaType?: string;
}

/** The headers of a GET or HEAD that decide whether the card must be sent again. */
export interface CardRequestHeaders {
  readonly ifNoneMatch?: string;
  readonly ifModifiedSince?: string;
}

/** What to answer; the body is empty on 304. */
export interface CardAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const ENTITY_TAG = /(?:^|,)[ \t]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/g;
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/** Weak comparison, as RFC 9110 (13.1.2) has it for this header: `W/` plays no part. */
function noneMatches(header: string, etag: string): boolean {
  if (header.trim() === '*') return false;
  return ![...header.matchAll(ENTITY_TAG)].some((match) => match[1] === etag);
}

/** RFC 9110 (13.1.3): a date that is none is as good as no header. */
function modifiedSince(header: string, lastModified: string): boolean {
  const text = header.trim();
  if (!HTTP_DATE.test(text)) return true;
  // The oldest of the three forms names no zone and means UTC all the same.
  const since = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(since) || Date.parse(lastModified) > since;
}

/** Answers a GET or HEAD of a document, with 304 where the caller's copy is still good. */
export function answerCardRequest(document: CacheableDocument, headers: CardRequestHeaders): CardAnswer {
  const { ifNoneMatch, ifModifiedSince } = headers;
  const validators = {
    'cache-control': document.cacheControl,
    etag: document.etag,
    'last-modified': document.lastModified,
  };
  const changed =
    ifNoneMatch !== undefined
      ? noneMatches(ifNoneMatch, document.etag)
      : ifModifiedSince === undefined || modifiedSince(ifModifiedSince, document.lastModified);
  return changed
    ? {
        status: 200,
        headers: { 'content-type': document.mediaType ?? 'application/json', ...validators },
        body: document.json,
      }
    : { status: 304, headers: validators, body: '' };
}
