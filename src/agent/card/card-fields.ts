import type { CardFindings } from './card-findings.js';

/** A JSON object whose members are not known yet. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Absent in ProtoJSON: not there, or `null`. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Cards printed from Protobuf may spell `default_input_modes`; both spellings are one field, and the camelCase one
 * counts when both are there.
 */
export function camelCased(fields: Fields): Fields {
  const own = Object.entries(fields);
  const translated = own
    .filter(([key]) => key.includes('_'))
    .map(([key, value]): [string, unknown] => [
      key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase()),
      value,
    ]);
  return Object.fromEntries([...translated, ...own.filter(([key]) => !key.includes('_'))]);
}

/** A text, trimmed; the fallback when it is absent or was a fault. */
export function readText(findings: CardFindings, path: string, value: unknown, fallback: string): string {
  if (isAbsent(value)) return fallback;
  if (typeof value === 'string') return value.trim();
  findings.fault(path, 'must be a text');
  return fallback;
}

/** A text that must be there and say something. */
export function readRequiredText(findings: CardFindings, path: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (text === '') findings.fault(path, 'must be a text that is not blank');
  return text;
}

/** A list of texts; `undefined` when it is absent, empty, or was a fault. */
export function readTexts(findings: CardFindings, path: string, value: unknown): string[] | undefined {
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value)) {
    findings.fault(path, 'must be an array of texts');
    return undefined;
  }
  const texts = value.map((entry: unknown, index) => readRequiredText(findings, `${path}[${index}]`, entry));
  return texts.length === 0 || texts.includes('') ? undefined : texts;
}
