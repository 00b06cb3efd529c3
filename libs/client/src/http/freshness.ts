/** Headers of an answer, names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** What may be done with an answer later. */
export interface Freshness {
  /** False: it may not be kept at all. */
  readonly storable: boolean;
  /** For how long it needs no question, in milliseconds. */
  readonly lifetimeMs: number;
}

/** No answer counts longer than that, whatever it says. */
const MOST_LIFETIME_MS = 86_400_000;

/**
 * How long a cache of one client may use an answer.
 *
 * @param defaultMs for an answer that says nothing of it
 * @see RFC 9111, sections 4.2 and 5.2.2
 */
export function freshnessOf(headers: Headers, defaultMs: number): Freshness {
  const directives = directivesOf(headers['cache-control']);
  const storable = !directives.has('no-store') && headers['vary']?.trim() !== '*';
  const said = directives.has('no-cache') ? 0 : lifetimeOf(headers, directives);
  if (said === undefined) return { storable, lifetimeMs: defaultMs };
  const left = said - ageOf(headers);
  return { storable, lifetimeMs: Math.min(Math.max(left, 0), MOST_LIFETIME_MS) };
}

function lifetimeOf(headers: Headers, directives: ReadonlyMap<string, string>): number | undefined {
  const maxAge = directives.get('max-age');
  // What cannot be read counts as stale: asking once too often does no harm.
  if (maxAge !== undefined) return /^\d{1,10}$/.test(maxAge) ? Number(maxAge) * 1000 : 0;
  const { expires, date } = headers;
  if (expires === undefined) return undefined;
  const end = Date.parse(expires);
  const start = date === undefined ? Date.now() : Date.parse(date);
  return Number.isNaN(end) || Number.isNaN(start) ? 0 : end - start;
}

function ageOf({ age }: Headers): number {
  return age !== undefined && /^\d{1,10}$/.test(age.trim()) ? Number(age) * 1000 : 0;
}

function directivesOf(header = ''): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of header.split(',')) {
    const [name = '', value = ''] = part.split('=');
    const key = name.trim().toLowerCase();
    // Of two values the first counts, as RFC 9111 suggests.
    if (key !== '' && !directives.has(key)) directives.set(key, value.trim().replaceAll('"', ''));
  }
  return directives;
}
