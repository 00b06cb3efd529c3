/** More columns than this are refused: their statistics alone would outgrow a readable report. */
export const MAX_COLUMNS = 1_000;

/** Bytes of one row, its quoted line breaks included. A quote that never closes is found out here. */
export const MAX_ROW_BYTES = 1_048_576;

/** Characters of a column name and of a value as they are shown. */
export const MAX_SHOWN_LENGTH = 100;

/** A longer cell is counted among the distinct values by a digest of it, so that no table can fill the memory. */
export const MAX_KEPT_LENGTH = 120;

/** All columns share this many numbers for exact quantiles (8 bytes each); beyond, quantiles are estimated. */
const QUANTILE_BUDGET = 4_000_000;
const MAX_QUANTILE_VALUES = 1_000_000;

/** All columns share this many counters for top values. */
const COUNTER_BUDGET = 240_000;
const MAX_COUNTERS = 20_000;

/**
 * What a column that has overflowed keeps. Few, so that the values of an id column are forgotten before the garbage
 * collector takes them for something that lasts.
 */
export const COUNTERS_AFTER_OVERFLOW = 5_000;

/** How many numbers each of so many columns keeps for its quantiles. */
export function quantileCapacity(columns: number): number {
  return Math.min(MAX_QUANTILE_VALUES, Math.floor(QUANTILE_BUDGET / Math.max(1, columns)));
}

/** How many distinct values each of so many columns counts exactly. */
export function counterCapacity(columns: number): number {
  return Math.min(MAX_COUNTERS, Math.floor(COUNTER_BUDGET / Math.max(1, columns)));
}

/** How many top values a column of so many lists: a wide table must not make an artifact that readers choke on. */
export function topValuesShown(columns: number): number {
  return columns > 100 ? 3 : 10;
}
