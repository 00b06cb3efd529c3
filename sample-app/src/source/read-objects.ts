import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonValue } from 'nestjs-a2a/protocol';
import { MAX_COLUMNS } from '../analysis/analysis-limits.js';
import { TableProfile } from '../analysis/table-profile.js';
import type { ReadingOptions, ReadTable } from './table-reader.js';
import type { ObjectsSource } from './table-source.js';
import { EmptyTableError, TableError } from './table.error.js';

const CELLS_A_TURN = 20_000;

type JsonObject = { [key: string]: JsonValue };

/**
 * Reads a table of JSON objects. The columns are the keys of all objects, in the order in which they are first seen; a
 * key that an object lacks is a missing value.
 *
 * @throws EmptyTableError when there is no row or no column
 * @throws TableError when a row is not an object, or there are too many columns
 */
export async function readObjects(source: ObjectsSource, options: ReadingOptions = {}): Promise<ReadTable> {
  if (source.rows.length === 0) throw new EmptyTableError('The table has no rows.');
  // The objects are in memory anyway, so all columns can be known before the first row is counted.
  const keys = await collectKeys(source.rows, options.signal);
  if (keys.length === 0) throw new EmptyTableError('The rows of the table are empty objects.');
  const profile = new TableProfile(keys);
  await eachRow(source.rows, options.signal, async (row, index, endOfTurn) => {
    profile.addRow(keys.map((key) => (Object.hasOwn(row, key) ? cellText(row[key]) : '')));
    if (endOfTurn) await options.onProgress?.({ share: (index + 1) / source.rows.length, rows: index + 1 });
    return keys.length;
  });
  return { profile, format: 'objects', ragged: profile.ragged, notes: [] };
}

async function collectKeys(rows: readonly JsonValue[], signal: AbortSignal | undefined): Promise<string[]> {
  const keys = new Set<string>();
  await eachRow(rows, signal, (row) => {
    const own = Object.keys(row);
    for (const key of own) keys.add(key);
    if (keys.size > MAX_COLUMNS) {
      throw new TableError(`The table has more than ${MAX_COLUMNS} columns, which is the most that can be analysed.`);
    }
    return own.length;
  });
  return [...keys];
}

/** Walks over the rows and lets others have a turn after so many cells; `visit` says how many its row had. */
async function eachRow(
  rows: readonly JsonValue[],
  signal: AbortSignal | undefined,
  visit: (row: JsonObject, index: number, endOfTurn: boolean) => number | Promise<number>,
): Promise<void> {
  let cells = 0;
  for (const [index, row] of rows.entries()) {
    if (!isObject(row)) throw new TableError(`Row ${index + 1} of the data is not an object.`);
    const endOfTurn = cells > CELLS_A_TURN || index === rows.length - 1;
    const visited = visit(row, index, endOfTurn);
    cells += 1 + (typeof visited === 'number' ? visited : await visited);
    if (!endOfTurn) continue;
    cells = 0;
    await nextTurn();
    signal?.throwIfAborted();
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as it would stand in a CSV file, so that both forms of a table give the same statistics. */
function cellText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? nestedText(value) : String(value);
}

function nestedText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A file may nest deeper than the stack reaches.
    throw new TableError('A cell of the data is nested too deeply.', { cause: error });
  }
}
