/** A status update a column is welcome for a dozen columns, not for a thousand. */
const MAX_GROUPS = 50;

/** Columns whose end is told in one status update; both ends are positions, from 1. */
export interface ColumnGroup {
  readonly first: number;
  readonly last: number;
}

/** Splits columns into at most fifty groups, of one column each as long as there are no more. */
export function columnGroups(columns: number): ColumnGroup[] {
  const size = Math.max(1, Math.ceil(columns / MAX_GROUPS));
  const groups: ColumnGroup[] = [];
  for (let first = 1; first <= columns; first += size) {
    groups.push({ first, last: Math.min(first + size - 1, columns) });
  }
  return groups;
}
