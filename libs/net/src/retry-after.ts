const SECONDS = /^\d+$/;

/**
 * The milliseconds that a `Retry-After` header asks for; undefined when it says nothing of use.
 *
 * @param now milliseconds since the epoch
 * @see RFC 9110, section 10.2.3
 */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1000;
  // Other texts that can be parsed as a date are none here.
  const at = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
