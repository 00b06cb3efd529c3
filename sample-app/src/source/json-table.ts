import { parseJson, type JsonValue } from 'nestjs-a2a/protocol';
import { base64Bytes } from './byte-chunks.js';
import { TableError } from './table.error.js';
import type { ObjectsSource } from './table-source.js';

/** A JSON file is parsed as a whole, so it must stay small; a larger table is better sent as CSV. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** The rows in a JSON value: an array, or an object with an array named `rows`. Undefined when there are none. */
export function rowsIn(value: JsonValue): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const rows = Object.hasOwn(value, 'rows') ? value.rows : undefined;
  return Array.isArray(rows) ? rows : undefined;
}

/**
 * Reads a JSON file or text as a table.
 *
 * @throws TableError when it is too large, not JSON, or not a table
 */
export function jsonTable(content: { text: string } | { base64: string }, filename: string | undefined): ObjectsSource {
  const bytes = 'text' in content ? content.text.length : base64Bytes(content.base64);
  if (bytes > MAX_JSON_BYTES) {
    throw new TableError(`JSON files may have at most ${MAX_JSON_BYTES} bytes. Send a larger table as CSV.`);
  }
  const text = 'text' in content ? content.text : Buffer.from(content.base64, 'base64').toString('utf8');
  const rows = rowsIn(parsed(text));
  if (!rows) throw new TableError('The JSON is not a table: send an array of objects, or {"rows": [ … ]}.');
  return { kind: 'objects', filename, rows };
}

function parsed(text: string): JsonValue {
  try {
    const value = parseJson(text);
    return isJsonValue(value) ? value : null;
  } catch (error) {
    throw new TableError('The JSON cannot be read: it is not valid.', { cause: error });
  }
}

/** What came out of a JSON parser is JSON; only the compiler has to be told. */
function isJsonValue(value: unknown): value is JsonValue {
  return value !== undefined;
}
