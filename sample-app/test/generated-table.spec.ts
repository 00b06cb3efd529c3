import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TableStatistics } from '../src/report/table-statistics.js';
import { analyse, column, delimited, objects } from './analyse.js';
import { generateTable, type GeneratedTable } from './table-generator.js';

const ROWS = 2_500;

/** Everything again, the slow and obvious way. */
function cellsOf(table: GeneratedTable, name: string): string[] {
  const index = table.header.indexOf(name);
  return table.rows.map((row) => row[index].trim()).filter((cell) => cell !== '');
}

function naiveQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const position = share * (sorted.length - 1);
  const low = sorted[Math.floor(position)];
  return low + (sorted[Math.ceil(position)] - low) * (position - Math.floor(position));
}

function naiveTop(cells: readonly string[], limit: number) {
  const values = [...new Set(cells)];
  return values
    .map((value) => ({ value, count: cells.filter((cell) => cell === value).length }))
    .toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1))
    .slice(0, limit);
}

describe('statistics of a generated table of 2,500 rows', () => {
  const table = generateTable(ROWS);
  let statistics: TableStatistics;

  beforeAll(async () => {
    statistics = await analyse(table.csv);
  });

  it('counts rows and columns and keeps the names', () => {
    expect(statistics.table).toEqual({
      name: null,
      format: 'delimited',
      delimiter: ',',
      rows: ROWS,
      columns: table.header.length,
      raggedRows: { short: 0, long: 0 },
    });
    expect(statistics.columns.map(({ name }) => name)).toEqual(table.header);
    expect(statistics.notes).toEqual([]);
  });

  it.each(table.header)('counts values, missing ones and distinct ones of %s', (name) => {
    const cells = cellsOf(table, name);
    const { count, missing, distinct } = column(statistics, name);
    const distinctCells = new Set(name === 'price' ? cells.map((cell) => String(Number(cell))) : cells);
    expect({ count, missing, distinct }).toEqual({
      count: cells.length,
      missing: ROWS - cells.length,
      distinct: { count: distinctCells.size, approximate: false },
    });
  });

  it.each([
    ['id', 'integer'],
    ['Städte', 'text'],
    ['price', 'number'],
    ['quantity', 'integer'],
    ['ordered on', 'date'],
    ['seen at', 'date'],
    ['paid', 'boolean'],
    ['postcode', 'text'],
    ['note', 'text'],
    ['mixed', 'mixed'],
  ])('infers the type of %s', (name, type) => {
    expect(column(statistics, name).type).toBe(type);
  });

  it.each(['id', 'price', 'quantity'])('computes range, mean, deviation and quantiles of %s', (name) => {
    const numbers = cellsOf(table, name).map(Number);
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const found = column(statistics, name);
    expect(found.min).toBe(Math.min(...numbers));
    expect(found.max).toBe(Math.max(...numbers));
    expect(found.mean).toBeCloseTo(mean, 9);
    expect(found.standardDeviation).toBeCloseTo(Math.sqrt(squares / (numbers.length - 1)), 8);
    for (const [key, share] of [
      ['p05', 0.05],
      ['p25', 0.25],
      ['p50', 0.5],
      ['p75', 0.75],
      ['p95', 0.95],
    ] as const) {
      expect(found.quantiles?.[key]).toBeCloseTo(naiveQuantile(numbers, share), 9);
    }
    expect(found.quantiles?.approximate).toBe(false);
  });

  it.each(['Städte', 'quantity', 'paid', 'note', 'mixed'])('ranks the values of %s', (name) => {
    expect(column(statistics, name).topValues).toEqual({
      values: naiveTop(cellsOf(table, name), 10),
      approximate: false,
    });
  });

  it('gives the range of dates as dates and of times as times', () => {
    const days = cellsOf(table, 'ordered on').toSorted();
    const times = cellsOf(table, 'seen at').toSorted();
    expect(column(statistics, 'ordered on')).toMatchObject({ min: days[0], max: days.at(-1), mean: null });
    const numbers = days.map((day) => Date.parse(day));
    const dayAt = (share: number) => {
      const day = Math.round(naiveQuantile(numbers, share) / 86_400_000);
      return new Date(day * 86_400_000).toISOString().slice(0, 10);
    };
    expect(column(statistics, 'ordered on').quantiles).toEqual({
      p05: dayAt(0.05),
      p25: dayAt(0.25),
      p50: dayAt(0.5),
      p75: dayAt(0.75),
      p95: dayAt(0.95),
      approximate: false,
    });
    expect(column(statistics, 'seen at')).toMatchObject({
      min: new Date(times[0]).toISOString(),
      max: new Date(times.at(-1) ?? '').toISOString(),
    });
  });

  it('gives texts their order and their lengths, and booleans their trues', () => {
    const codes = cellsOf(table, 'postcode').toSorted();
    expect(column(statistics, 'postcode')).toMatchObject({
      min: codes[0],
      max: codes.at(-1),
      length: { min: 5, max: 5, mean: 5 },
    });
    expect(column(statistics, 'paid').trueCount).toBe(cellsOf(table, 'paid').filter((cell) => cell === 'true').length);
  });

  it('tells of a mixed column what it is mixed of, and the figures of its numbers', () => {
    const cells = cellsOf(table, 'mixed');
    const numbers = cells.filter((cell) => /^\d+$/.test(cell)).map(Number);
    const trues = cells.filter((cell) => cell === 'true').length;
    const found = column(statistics, 'mixed');
    expect(found.kinds).toEqual({
      integer: numbers.length,
      boolean: trues,
      text: cells.length - numbers.length - trues,
    });
    expect([found.min, found.max]).toEqual([0, 9]);
    expect(found.mean).toBeCloseTo(numbers.reduce((sum, value) => sum + value, 0) / numbers.length, 9);
  });

  it.each([1, 2, 3, 7, 1_021])('gives the same from chunks of %i bytes', async (chunkBytes) => {
    const small = generateTable(60);
    expect(await analyse(delimited(small.csv, chunkBytes))).toEqual(await analyse(small.csv));
  });

  it.each(['\r\n', '\r'])('gives the same with %j between lines, a byte at a time', async (lineBreak) => {
    const other = generateTable(60, 7, lineBreak);
    expect((await analyse(delimited(other.csv, 1))).columns).toEqual((await analyse(generateTable(60).csv)).columns);
  });

  it('gives the same from JSON objects', async () => {
    const rows = table.rows.map((row) => Object.fromEntries(table.header.map((name, index) => [name, row[index]])));
    expect((await analyse(objects(rows))).columns).toEqual(statistics.columns);
  });
});
