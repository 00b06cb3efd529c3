/**
 * A point in time in wire form: RFC 3339, UTC, milliseconds, e.g. `2026-01-01T00:00:00.000Z`.
 *
 * @param date a date, or milliseconds since 1970
 * @throws RangeError when it is no date, or outside the years 1 to 9999 the wire form can express
 * @see A2A 1.0, section 5.6.1
 */
export function toTimestamp(date: Date | number): string {
  const millis = Number(date);
  if (millis === latestMillis) return latestText;
  const text = new Date(millis).toISOString();
  if (text.length !== 24 || text.startsWith('0000')) throw new RangeError('A timestamp lies in the years 1 to 9999');
  latestMillis = millis;
  latestText = text;
  return text;
}

// A busy server asks many times for one and the same millisecond, and making the text costs more than all around it.
let latestMillis = Number.NaN;
let latestText = '';

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Brings an RFC 3339 timestamp into wire form: offsets become `Z`, the fraction is cut to milliseconds.
 *
 * @returns nothing when it is no timestamp, or names a date that does not exist
 */
export function normalizeTimestamp(text: string): string | undefined {
  const match = text.length <= 40 ? RFC_3339.exec(text) : null;
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  // Not Date.UTC: it moves the years 0 to 99 into the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').padEnd(3, '0').slice(0, 3)));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === '-' ? -1 : 1);
  const utc = new Date(date.getTime() - offset);
  const utcYear = utc.getUTCFullYear();
  return utcYear >= 1 && utcYear <= 9999 ? utc.toISOString() : undefined;
}
