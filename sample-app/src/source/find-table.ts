import { isDataPart, isRawPart, isTextPart, isUrlPart, Role, type Message, type Part } from 'nestjs-a2a/protocol';
import { base64Bytes, base64Chunks, textChunks } from './byte-chunks.js';
import { jsonTable, rowsIn } from './json-table.js';
import { partFormat } from './part-format.js';
import { TableError } from './table.error.js';
import type { TableSource } from './table-source.js';

/** What a message holds besides a table, so that the question for one can be a helpful one. */
export type MissingTable = 'none' | 'url' | 'data';

/** A table, or why there is none. */
export type TableSearch = { readonly table: TableSource } | { readonly missing: MissingTable };

/**
 * Looks for a table in a message, then in the earlier messages of its sender, the latest first.
 *
 * @throws TableError when the message has no table but a file that can never be one
 */
export function findTable(message: Message, history: readonly Message[] = []): TableSearch {
  const own = searchParts(message.parts);
  if ('table' in own) return own;
  for (const earlier of history.toReversed()) {
    if (earlier.role !== Role.USER) continue;
    const table = tableIn(earlier);
    if (table) return { table };
  }
  return own;
}

/** A file that was refused before has been answered before, so it is passed over. */
function tableIn(message: Message): TableSource | undefined {
  try {
    const search = searchParts(message.parts);
    return 'table' in search ? search.table : undefined;
  } catch (error) {
    if (error instanceof TableError) return undefined;
    throw error;
  }
}

function searchParts(parts: readonly Part[]): TableSearch {
  let missing: MissingTable = 'none';
  let refused: TableError | undefined;
  for (const part of parts) {
    try {
      const table = tableOf(part);
      if (table) return { table };
    } catch (error) {
      if (!(error instanceof TableError)) throw error;
      refused ??= error;
    }
    if (isUrlPart(part)) missing = 'url';
    else if (isDataPart(part)) missing = 'data';
  }
  if (refused) throw refused;
  return { missing };
}

function tableOf(part: Part): TableSource | undefined {
  if (isRawPart(part)) return fileTable(part.raw, part);
  if (isTextPart(part)) return textTable(part.text, part);
  if (!isDataPart(part)) return undefined;
  const rows = rowsIn(part.data);
  return rows && { kind: 'objects', filename: part.filename, rows };
}

function fileTable(base64: string, part: Part): TableSource {
  const format = partFormat(part);
  if (format === 'other') {
    throw new TableError('The file is not a table that can be read. Send it as CSV or TSV in UTF-8, or as JSON.');
  }
  if (format === 'json') return jsonTable({ base64 }, part.filename);
  return {
    kind: 'delimited',
    filename: part.filename,
    delimiter: format === 'tsv' ? '\t' : undefined,
    bytes: base64Bytes(base64),
    chunks: () => base64Chunks(base64),
  };
}

/** Text is a table only if it says so: most text is somebody talking. */
function textTable(text: string, part: Part): TableSource | undefined {
  const format = partFormat(part);
  if (format === 'json') return jsonTable({ text }, part.filename);
  if (format !== 'csv' && format !== 'tsv') return undefined;
  return {
    kind: 'delimited',
    filename: part.filename,
    delimiter: format === 'tsv' ? '\t' : undefined,
    bytes: Buffer.byteLength(text, 'utf8'),
    chunks: () => textChunks(text),
  };
}
