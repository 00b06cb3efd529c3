import type { CellKind } from './cell.js';
import type { DistinctCount, TopValues } from './frequent-values.js';

/**
 * What a column holds as a whole. `mixed`: cells of several kinds that do not go together; `empty`: no cell has a
 * value.
 */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'date' | 'text' | 'mixed' | 'empty';

/** Five points of a distribution, named by their per cent; ISO 8601 for dates. */
export interface Quantiles {
  readonly p05: number | string | null;
  readonly p25: number | string | null;
  readonly p50: number | string | null;
  readonly p75: number | string | null;
  readonly p95: number | string | null;
  /** Estimated from a random sample of the column. */
  readonly approximate: boolean;
}

/** Lengths of a text column's values, in UTF-16 units. */
export interface LengthStatistics {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

/** Everything that is known about one column. */
export interface ColumnStatistics {
  readonly name: string;
  /** 1 for the first column. */
  readonly position: number;
  readonly type: ColumnType;
  /** Cells with a value. */
  readonly count: number;
  readonly missing: number;
  /** Numbers as numbers, dates in ISO 8601, texts by their code units; of a mixed column, of its numbers. */
  readonly min: number | string | null;
  readonly max: number | string | null;
  /** Of the numbers; null when there are none. */
  readonly mean: number | null;
  /** Of the sample; null when there are fewer than two numbers. */
  readonly standardDeviation: number | null;
  readonly quantiles: Quantiles | null;
  readonly distinct: DistinctCount;
  readonly topValues: TopValues;
  /** Text columns only. */
  readonly length?: LengthStatistics;
  /** Boolean columns only. */
  readonly trueCount?: number;
  /** Mixed columns only: how many cells are of which kind. */
  readonly kinds?: Partial<Record<CellKind, number>>;
}
