/**
 * Media type of the REST binding and of push notifications.
 *
 * @see A2A 1.0.1, section 11.2
 */
export const A2A_MEDIA_TYPE = 'application/a2a+json';

/** Media type of the JSON-RPC binding, and of REST with older peers. */
export const JSON_MEDIA_TYPE = 'application/json';

/** The media type without its parameters, in lower case. */
function essence(mediaType: string): string {
  const end = mediaType.indexOf(';');
  return (end < 0 ? mediaType : mediaType.slice(0, end)).trim().toLowerCase();
}

/** Is this `Content-Type` JSON or A2A JSON, with or without parameters? */
export function isJsonMediaType(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const type = essence(contentType);
  return type === JSON_MEDIA_TYPE || type === A2A_MEDIA_TYPE;
}

/**
 * Is a media type among the accepted ones? Letter case and parameters play no part; `*` + `/*` accepts everything,
 * `text/*` every text type.
 */
export function mediaTypeMatches(mediaType: string, accepted: readonly string[]): boolean {
  const type = essence(mediaType);
  return accepted.some((entry) => {
    const range = essence(entry);
    if (range === '*/*' || range === '*') return true;
    return range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range;
  });
}
