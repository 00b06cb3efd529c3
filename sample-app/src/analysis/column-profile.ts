import { readCell, type Cell, type CellKind } from './cell.js';
import type { ColumnStatistics, ColumnType, Quantiles } from './column-statistics.js';
import { FrequentValues } from './frequent-values.js';
import { QuantileSketch } from './quantile-sketch.js';
import { RunningMoments } from './running-moments.js';
import { shownText } from './shown-text.js';

const DAY = 86_400_000;

/** How much a column may remember, and how it reads numbers. */
export interface ColumnProfileOptions {
  readonly quantileCapacity: number;
  readonly counterCapacity: number;
  readonly topValues: number;
  readonly decimalComma: boolean;
}

/** Moments and quantiles of one kind of value. */
class Distribution {
  readonly moments = new RunningMoments();
  private readonly sketch: QuantileSketch;

  constructor(capacity: number) {
    this.sketch = new QuantileSketch(capacity);
  }

  add(value: number): void {
    this.moments.add(value);
    this.sketch.add(value);
  }

  quantiles(show: (value: number | null) => number | string | null): Quantiles {
    const at = (share: number) => show(this.sketch.quantile(share));
    return {
      p05: at(0.05),
      p25: at(0.25),
      p50: at(0.5),
      p75: at(0.75),
      p95: at(0.95),
      approximate: this.sketch.approximate,
    };
  }
}

/** Reads the cells of one column, one at a time, and keeps no more than its options allow. */
export class ColumnProfile {
  private readonly kinds: Record<CellKind, number> = {
    missing: 0,
    integer: 0,
    number: 0,
    boolean: 0,
    date: 0,
    code: 0,
    text: 0,
  };
  private numbers: Distribution | undefined;
  private dates: Distribution | undefined;
  private datesHaveTime = false;
  private trueCount = 0;
  private count = 0;
  private firstText: string | undefined;
  private lastText: string | undefined;
  private shortest = Infinity;
  private longest = 0;
  private totalLength = 0;
  private readonly frequent: FrequentValues;

  constructor(
    readonly name: string,
    private readonly position: number,
    private readonly options: ColumnProfileOptions,
  ) {
    this.frequent = new FrequentValues(options.counterCapacity);
  }

  add(raw: string): void {
    const text = raw.trim();
    const cell = readCell(text, this.options.decimalComma);
    this.kinds[cell.kind] += 1;
    if (cell.kind === 'missing') return;
    this.count += 1;
    this.addText(text);
    this.addValue(cell);
    this.frequent.add(canonicalText(cell, text));
  }

  /** Counts cells that are not there at all. */
  addMissing(cells: number): void {
    this.kinds.missing += cells;
  }

  statistics(): ColumnStatistics {
    const type = this.type();
    return {
      name: this.name,
      position: this.position,
      type,
      count: this.count,
      missing: this.kinds.missing,
      ...this.range(type),
      distinct: this.frequent.distinct(),
      topValues: this.frequent.top(this.options.topValues),
      ...(type === 'text' && {
        length: { min: this.shortest, max: this.longest, mean: this.totalLength / this.count },
      }),
      ...(type === 'boolean' && { trueCount: this.trueCount }),
      ...(type === 'mixed' && { kinds: this.kindsSeen() }),
    };
  }

  private addText(text: string): void {
    // Kept for every kind of value: only at the end is it known that a column of digits is one of postal codes.
    if (this.firstText === undefined || text < this.firstText) this.firstText = text;
    if (this.lastText === undefined || text > this.lastText) this.lastText = text;
    if (text.length < this.shortest) this.shortest = text.length;
    if (text.length > this.longest) this.longest = text.length;
    this.totalLength += text.length;
  }

  private addValue(cell: Cell): void {
    if (cell.kind === 'integer' || cell.kind === 'number') {
      this.numbers ??= new Distribution(this.options.quantileCapacity);
      this.numbers.add(cell.value);
    } else if (cell.kind === 'date') {
      this.dates ??= new Distribution(this.options.quantileCapacity);
      this.dates.add(cell.value);
      this.datesHaveTime ||= cell.hasTime;
    } else if (cell.kind === 'boolean') {
      this.trueCount += cell.value;
    }
  }

  private type(): ColumnType {
    const { integer, number, boolean, date, code, text } = this.kinds;
    const all = this.count;
    if (all === 0) return 'empty';
    if (integer === all) return 'integer';
    if (integer + number === all) return 'number';
    if (boolean === all) return 'boolean';
    if (date === all) return 'date';
    // One 01234 makes 98765 beside it a code as well.
    return text + code === all || (code > 0 && integer + code === all) ? 'text' : 'mixed';
  }

  private range(type: ColumnType): Pick<ColumnStatistics, 'min' | 'max' | 'mean' | 'standardDeviation' | 'quantiles'> {
    const none = { min: null, max: null, mean: null, standardDeviation: null, quantiles: null };
    if (type === 'empty' || type === 'boolean') return none;
    if (type === 'date' && this.dates) {
      const show = (value: number | null) => this.shownDate(value);
      const { min, max } = this.dates.moments;
      return { ...none, min: show(min), max: show(max), quantiles: this.dates.quantiles(show) };
    }
    if (type !== 'text' && this.numbers) {
      const { min, max, mean, standardDeviation } = this.numbers.moments;
      return { min, max, mean, standardDeviation, quantiles: this.numbers.quantiles((value) => value) };
    }
    return { ...none, min: shownText(this.firstText ?? ''), max: shownText(this.lastText ?? '') };
  }

  /** A quantile may lie between two dates; it is rounded to what the column is written in. */
  private shownDate(value: number | null): string | null {
    if (value === null) return null;
    if (this.datesHaveTime) return new Date(Math.round(value)).toISOString();
    const text = new Date(Math.round(value / DAY) * DAY).toISOString();
    return text.slice(0, text.indexOf('T'));
  }

  private kindsSeen(): Partial<Record<CellKind, number>> {
    const seen: Partial<Record<CellKind, number>> = {};
    for (const kind of ['integer', 'number', 'boolean', 'date', 'code', 'text'] as const) {
      if (this.kinds[kind] > 0) seen[kind] = this.kinds[kind];
    }
    return seen;
  }
}

/** 1.50 and 1.5 are one value. */
function canonicalText(cell: Cell, text: string): string {
  if (cell.kind === 'number') return String(cell.value);
  if (cell.kind !== 'integer') return text;
  const first = text.charCodeAt(0);
  return first === 43 || first === 45 ? String(cell.value) : text;
}
