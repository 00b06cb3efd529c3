import { TableError } from './table.error.js';

/** How the content of a part is written. `unknown`: nothing says so. `other`: surely not a table. */
export type PartFormat = 'csv' | 'tsv' | 'json' | 'unknown' | 'other';

const BY_MEDIA_TYPE: ReadonlyMap<string, PartFormat> = new Map([
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'tsv'],
  ['application/json', 'json'],
]);
const BY_EXTENSION: ReadonlyMap<string, PartFormat> = new Map([
  ['csv', 'csv'],
  ['tsv', 'tsv'],
  ['tab', 'tsv'],
  ['json', 'json'],
  ['txt', 'unknown'],
]);
// These say "some text" or "some bytes"; the file's name knows more.
const VAGUE: ReadonlySet<string> = new Set(['', 'text/plain', 'application/octet-stream']);
const UTF8_CHARSETS: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/**
 * Tells the format of a part from its media type, else from its file name.
 *
 * @throws TableError when the media type names a character set other than UTF-8
 */
export function partFormat(part: { readonly mediaType?: string; readonly filename?: string }): PartFormat {
  const [type, ...parameters] = (part.mediaType ?? '').split(';').map((piece) => piece.trim().toLowerCase());
  const known = BY_MEDIA_TYPE.get(type);
  if (!known && !VAGUE.has(type)) return 'other';
  refuseOtherCharsets(parameters);
  return known ?? formatOfFilename(part.filename ?? '');
}

function formatOfFilename(filename: string): PartFormat {
  const dot = filename.lastIndexOf('.');
  if (dot < 0) return 'unknown';
  return BY_EXTENSION.get(filename.slice(dot + 1).toLowerCase()) ?? 'other';
}

function refuseOtherCharsets(parameters: readonly string[]): void {
  for (const parameter of parameters) {
    const [name, value = ''] = parameter.split('=').map((piece) => piece.trim());
    if (name === 'charset' && !UTF8_CHARSETS.has(value.replaceAll('"', ''))) {
      throw new TableError('Only tables in UTF-8 can be read; the media type names another character set.');
    }
  }
}
