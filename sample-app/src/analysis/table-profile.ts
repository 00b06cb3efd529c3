import { counterCapacity, quantileCapacity, topValuesShown } from './analysis-limits.js';
import { columnNames } from './column-names.js';
import { ColumnProfile } from './column-profile.js';

/** Rows that do not have one cell for each column. */
export interface RaggedRows {
  /** Their missing cells count as missing values. */
  readonly short: number;
  /** Their surplus cells are left out. */
  readonly long: number;
}

/** Reads the rows of a table, one at a time. */
export class TableProfile {
  readonly columns: readonly ColumnProfile[];
  private rowCount = 0;
  private shortRows = 0;
  private longRows = 0;

  constructor(header: readonly string[], decimalComma = false) {
    const options = {
      quantileCapacity: quantileCapacity(header.length),
      counterCapacity: counterCapacity(header.length),
      topValues: topValuesShown(header.length),
      decimalComma,
    };
    this.columns = columnNames(header).map((name, index) => new ColumnProfile(name, index + 1, options));
  }

  addRow(cells: readonly string[]): void {
    this.rowCount += 1;
    const width = this.columns.length;
    if (cells.length < width) this.shortRows += 1;
    else if (cells.length > width) this.longRows += 1;
    for (let index = 0; index < width; index += 1) {
      if (index < cells.length) this.columns[index].add(cells[index]);
      else this.columns[index].addMissing(1);
    }
  }

  get rows(): number {
    return this.rowCount;
  }

  get ragged(): RaggedRows {
    return { short: this.shortRows, long: this.longRows };
  }
}
