import { MAX_COLUMNS } from '../analysis/analysis-limits.js';
import { readCell } from '../analysis/cell.js';
import { TableProfile } from '../analysis/table-profile.js';
import type { Delimiter } from './delimiter.js';
import { TableError } from './table.error.js';

/** Takes the records of a delimited table: the first is the header, blank lines are no rows. */
export class DelimitedRows {
  private table: TableProfile | undefined;
  private blankLines = 0;
  private headerIsNumeric = false;

  constructor(private readonly delimiter: Delimiter) {}

  add(record: readonly string[]): void {
    const blank = record.length === 1 && record[0].trim() === '';
    if (!this.table) {
      if (!blank) this.start(record);
      return;
    }
    if (blank) {
      this.blankLines += 1;
      return;
    }
    if (this.isSingleColumn(this.table)) this.addBlankRows(this.table);
    this.table.addRow(record);
  }

  get profile(): TableProfile | undefined {
    return this.table;
  }

  get rows(): number {
    return this.table?.rows ?? 0;
  }

  get notes(): string[] {
    const notes: string[] = [];
    if (this.headerIsNumeric) notes.push('The first row holds only numbers, but was taken as the header.');
    if (this.blankLines > 0) notes.push(`Blank lines left out: ${this.blankLines}.`);
    return notes;
  }

  private start(header: readonly string[]): void {
    if (header.length > MAX_COLUMNS) {
      throw new TableError(`The table has ${header.length} columns; at most ${MAX_COLUMNS} can be analysed.`);
    }
    // Who separates cells by semicolons usually does so because commas are taken by decimals.
    this.table = new TableProfile(header, this.delimiter === ';');
    this.headerIsNumeric = header.every((cell) => {
      const { kind } = readCell(cell.trim(), this.delimiter === ';');
      return kind === 'integer' || kind === 'number';
    });
  }

  private isSingleColumn(table: TableProfile): boolean {
    return this.blankLines > 0 && table.columns.length === 1;
  }

  /** In a table of one column a blank line between rows is a missing value; only at the end it is nothing. */
  private addBlankRows(table: TableProfile): void {
    for (; this.blankLines > 0; this.blankLines -= 1) table.addRow(['']);
  }
}
