import type { JsonValue } from 'nestjs-a2a/protocol';

/** Stands for what must not be seen. */
export const REDACTED = '***';

const MAX_DETAIL_LENGTH = 512;
const MAX_DEPTH = 16;
const MAX_ITEMS = 256;

const SENSITIVE_WORDS = [
  'authorization',
  'cookie',
  'token',
  'secret',
  'password',
  'pwd',
  'passwd',
  'accesssession',
  'apikey',
];

const SCHEME = /\b(bearer|basic)\s+[^\s"',;]+/gi;
// Headers of these names may hold several words: all of the line is secret.
const HEADER = /((?:authorization|cookie)[\w-]{0,64}\s{0,8}[=:]\s{0,8})([^\s"'\\][^\r\n]*)/gi;
// A name that means a secret, then `=` or `:`, then the secret: in quotes (those of JSON inside JSON too, or with the end
// cut off), or up to the next delimiter.
const ASSIGNMENT =
  /((?:authorization|cookie|token|secret|password|passwd|pwd|accesssession|access_session|api[-_ ]?key)[\w-]{0,64}\\{0,8}["']?\s{0,8}[=:]\s{0,8})(\\{1,8}"[^"\\]*(?:\\{1,8}"|$)|"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)|[^\s"',;&}]+)/gi;
const ACCOUNT_IN_URL = /(:\/\/)[^\s/?#@"']+@/g;

/**
 * Does a member, header or parameter of this name hold a secret? URIs of extensions never do, whatever words are in them.
 */
export function isSensitiveKey(name: string): boolean {
  if (name.includes('://')) return false;
  const plain = name.toLowerCase().replaceAll(/[-_]/g, '');
  return SENSITIVE_WORDS.some((word) => plain.includes(word));
}

/** A text without credentials. */
export function redactText(text: string): string {
  // The longer rules first: `Authorization: Bearer x` has a secret behind the word that follows the colon.
  return text
    .replace(SCHEME, `$1 ${REDACTED}`)
    .replace(HEADER, masked)
    .replace(ASSIGNMENT, masked)
    .replace(ACCOUNT_IN_URL, `$1${REDACTED}@`);
}

function masked(all: string, head: string, value: string): string {
  return /^(?:(?:bearer|basic)\b|\*\*\*)/i.test(value) ? all : `${head}${REDACTED}`;
}

/** A text as it may go into an answer or a detail: without credentials, and not longer than 512 characters. */
export function redactDetail(text: string): string {
  return redactText(text.slice(0, MAX_DETAIL_LENGTH * 2)).slice(0, MAX_DETAIL_LENGTH);
}

/**
 * A copy of a JSON value without secrets: members with sensitive names are masked, texts redacted and cut at 512
 * characters. What is too deep or too long is left out.
 */
export function redactValue(value: unknown): JsonValue {
  return redacted(value, 0);
}

/** Headers without secrets, names in lower case. */
export function redactHeaders(headers: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const shown: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    shown.push([name.toLowerCase(), isSensitiveKey(name) ? REDACTED : redactDetail(value)]);
  }
  return Object.freeze(Object.fromEntries(shown));
}

/** One line of a log: nobody can begin another one in it. */
export function oneLine(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');
}

function redacted(value: unknown, depth: number): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string') return redactDetail(value);
  if (typeof value !== 'object') return null;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => redacted(item, depth + 1));
  const copy: Record<string, JsonValue> = {};
  for (const [key, member] of Object.entries(value).slice(0, MAX_ITEMS)) {
    if (member === undefined) continue;
    const shown = isSensitiveKey(key) ? REDACTED : redacted(member, depth + 1);
    // A plain assignment to `__proto__` would set the prototype.
    Object.defineProperty(copy, key, { value: shown, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}
