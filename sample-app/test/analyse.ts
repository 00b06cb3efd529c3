import type { JsonValue } from 'nestjs-a2a/protocol';
import type { ColumnStatistics } from '../src/analysis/column-statistics.js';
import { tableStatistics, type TableStatistics } from '../src/report/table-statistics.js';
import { readTable } from '../src/source/read-table.js';
import type { ReadingOptions } from '../src/source/table-reader.js';
import type { DelimitedSource, TableSource } from '../src/source/table-source.js';

/** A delimited table whose bytes come in chunks of a size that the test chooses. */
export function delimited(content: string | Buffer, chunkBytes = 65_536, delimiter?: '\t'): DelimitedSource {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return {
    kind: 'delimited',
    filename: undefined,
    delimiter,
    bytes: bytes.length,
    *chunks() {
      for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
    },
  };
}

/** A table of JSON objects. */
export function objects(rows: readonly JsonValue[]): TableSource {
  return { kind: 'objects', filename: undefined, rows };
}

/** Reads a table and finishes its columns. */
export async function analyse(
  source: TableSource | string | Buffer,
  options: ReadingOptions = {},
): Promise<TableStatistics> {
  const table = typeof source === 'string' || Buffer.isBuffer(source) ? delimited(source) : source;
  const read = await readTable(table, options);
  return tableStatistics(
    read,
    read.profile.columns.map((column) => column.statistics()),
    undefined,
  );
}

/** The one column with a name. */
export function column(statistics: TableStatistics, name: string): ColumnStatistics {
  const found = statistics.columns.filter((candidate) => candidate.name === name);
  if (found.length !== 1) throw new Error(`${found.length} columns are named ${name}`);
  return found[0];
}
