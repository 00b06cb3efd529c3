/** What a single cell holds. `code` is digits that are a name rather than a number: `00123`, or over 15 digits. */
export type CellKind = 'missing' | 'integer' | 'number' | 'boolean' | 'date' | 'code' | 'text';

/** A cell as it was understood. */
export interface Cell {
  readonly kind: CellKind;
  /** The number; for a date, milliseconds since 1970 in UTC; for a boolean, 1 or 0. */
  readonly value: number;
  /** A date with a time of day. */
  readonly hasTime: boolean;
}

/** Cells that count as missing besides empty ones; compared without regard to letter case. */
export const MISSING_TOKENS: readonly string[] = ['NA', 'N/A', 'NaN', 'null'];

const MISSING: Cell = { kind: 'missing', value: 0, hasTime: false };
const TEXT: Cell = { kind: 'text', value: 0, hasTime: false };
const CODE: Cell = { kind: 'code', value: 0, hasTime: false };
const WORDS: ReadonlyMap<string, Cell> = new Map([
  ...MISSING_TOKENS.map((token): [string, Cell] => [token.toLowerCase(), MISSING]),
  ...['true', 'yes'].map((word): [string, Cell] => [word, { kind: 'boolean', value: 1, hasTime: false }]),
  ...['false', 'no'].map((word): [string, Cell] => [word, { kind: 'boolean', value: 0, hasTime: false }]),
]);

const MAX_WORD_LENGTH = 5;
// The longest number or date anyone writes; also keeps the patterns below away from megabytes of digits.
const MAX_NUMBER_LENGTH = 64;
// Every integer of 15 digits is a double without loss; one digit more and minimum, maximum and mean could be wrong.
const MAX_EXACT_DIGITS = 15;

const INTEGER = /^[+-]?\d+$/;
const DECIMAL_POINT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const DECIMAL_COMMA = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?$/;
const YEAR_FIRST =
  /^(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d\d):?(\d\d))?)?$/;
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/**
 * Understands one trimmed cell.
 *
 * @param decimalComma `3,14` is a number, as in tables whose delimiter is a semicolon
 */
export function readCell(text: string, decimalComma: boolean): Cell {
  const length = text.length;
  if (length === 0) return MISSING;
  const first = text.charCodeAt(0);
  const isDigit = first >= 48 && first <= 57;
  // Everything numeric starts with a digit, a sign, a point or a comma; everything else is a word.
  if (!isDigit && first !== 43 && first !== 45 && first !== 46 && first !== 44) {
    return length > MAX_WORD_LENGTH ? TEXT : (WORDS.get(text.toLowerCase()) ?? TEXT);
  }
  if (length > MAX_NUMBER_LENGTH) return INTEGER.test(text) ? CODE : TEXT;
  if (INTEGER.test(text)) return readInteger(text, isDigit);
  if (decimalComma ? DECIMAL_COMMA.test(text) : DECIMAL_POINT.test(text)) return readNumber(text);
  return isDigit && length >= 8 ? readDate(text) : TEXT;
}

function readInteger(text: string, isDigit: boolean): Cell {
  const digits = isDigit ? text.length : text.length - 1;
  const leadingZero = digits > 1 && text.charCodeAt(text.length - digits) === 48;
  if (leadingZero || digits > MAX_EXACT_DIGITS) return CODE;
  return { kind: 'integer', value: Number(text), hasTime: false };
}

function readNumber(text: string): Cell {
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) ? { kind: 'number', value, hasTime: false } : TEXT;
}

function readDate(text: string): Cell {
  const match = YEAR_FIRST.exec(text);
  if (!match) return readDayFirst(text);
  const [, year, , month, day, hour, minute, second, fraction, , sign, offsetHour, offsetMinute] = match;
  const midnight = calendarDay(Number(year), Number(month), Number(day));
  const clock = timeOfDay(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), fraction);
  if (midnight === undefined || clock === undefined) return TEXT;
  const offset = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) * 60_000;
  return {
    kind: 'date',
    value: midnight + clock - (sign === '-' ? -offset : offset),
    hasTime: hour !== undefined,
  };
}

function readDayFirst(text: string): Cell {
  const match = DAY_FIRST.exec(text);
  if (!match) return TEXT;
  const midnight = calendarDay(Number(match[3]), Number(match[2]), Number(match[1]));
  return midnight === undefined ? TEXT : { kind: 'date', value: midnight, hasTime: false };
}

function calendarDay(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // 31 April rolls over into May: such a date does not exist.
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function timeOfDay(hour: number, minute: number, second: number, fraction: string | undefined): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const milliseconds = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  return ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
}
