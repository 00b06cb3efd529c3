import { MISSING_TOKENS } from '../analysis/cell.js';
import type { ColumnStatistics } from '../analysis/column-statistics.js';
import { shownText } from '../analysis/shown-text.js';
import type { RaggedRows } from '../analysis/table-profile.js';
import type { ReadTable } from '../source/table-reader.js';

/** The whole result: what the JSON artifact holds and the Markdown report is written from. */
export interface TableStatistics {
  readonly table: {
    readonly name: string | null;
    readonly format: 'delimited' | 'objects';
    readonly delimiter: string | null;
    readonly rows: number;
    readonly columns: number;
    readonly raggedRows: RaggedRows;
  };
  /** Cells that count as missing besides empty ones, whatever their letter case. */
  readonly missingTokens: readonly string[];
  readonly columns: readonly ColumnStatistics[];
  readonly notes: readonly string[];
}

/** Puts the figures of a table that was read and of its columns together. */
export function tableStatistics(
  read: ReadTable,
  columns: readonly ColumnStatistics[],
  filename: string | undefined,
): TableStatistics {
  return {
    table: {
      name: filename === undefined ? null : shownText(filename),
      format: read.format,
      delimiter: read.delimiter ?? null,
      rows: read.profile.rows,
      columns: columns.length,
      raggedRows: read.ragged,
    },
    missingTokens: MISSING_TOKENS,
    columns,
    notes: notes(read, columns),
  };
}

function notes(read: ReadTable, columns: readonly ColumnStatistics[]): string[] {
  const { short, long } = read.ragged;
  const found = [...read.notes];
  if (short > 0) found.push(`Rows with too few cells: ${short}. Their missing cells count as missing values.`);
  if (long > 0) found.push(`Rows with too many cells: ${long}. The surplus cells are left out.`);
  if (columns.some(({ quantiles }) => quantiles?.approximate)) {
    found.push('Quantiles marked approximate are estimated from a random sample; minimum, maximum and mean are exact.');
  }
  if (columns.some(({ topValues }) => topValues.approximate)) {
    found.push('Counts of top values marked approximate are lower bounds; maxError says by how much they may be low.');
  }
  return found;
}
