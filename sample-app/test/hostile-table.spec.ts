import { describe, expect, it, jest } from '@jest/globals';
import { MAX_COLUMNS, MAX_ROW_BYTES } from '../src/analysis/analysis-limits.js';
import { markdownReport } from '../src/report/markdown-report.js';
import { readTable } from '../src/source/read-table.js';
import type { DelimitedSource } from '../src/source/table-source.js';
import { EmptyTableError, TableError } from '../src/source/table.error.js';
import { analyse, column, delimited, objects } from './analyse.js';

describe('tables that are written in another way', () => {
  it('drops a byte order mark', async () => {
    expect((await analyse('\ufeffa,b\n1,2\n')).columns.map(({ name }) => name)).toEqual(['a', 'b']);
    expect((await analyse('\ufeff"a",b\n1,2\n')).columns.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it.each([
    [',', 'a,b,c\n1,x;y,2\n3,z;,4\n'],
    [';', 'a;b;c\n1;x,y;2\n3;z,;4\n'],
    ['\t', 'a\tb\tc\n1\tx,y\t2\n3\tz;\t4\n'],
    ['|', 'a|b|c\n1|x,y|2\n3|z;|4\n'],
  ])('finds out the delimiter %j', async (delimiter, csv) => {
    const { table, columns } = await analyse(csv);
    expect(table).toMatchObject({ delimiter, columns: 3, rows: 2 });
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'text', 'integer']);
  });

  it('does not take delimiters in quotes for delimiters', async () => {
    const { table } = await analyse('"a;b;c;d",e\n"1;2;3;4",5\n');
    expect(table).toMatchObject({ delimiter: ',', columns: 2 });
  });

  it('reads decimal commas where semicolons stand between cells', async () => {
    const { columns } = await analyse('name;price\nA;1,5\nB;2,25\n');
    expect(columns[1]).toMatchObject({ type: 'number', min: 1.5, max: 2.25, mean: 1.875 });
  });

  it('takes line ends that are mixed', async () => {
    expect((await analyse(delimited('a,b\r\n1,2\n3,4\r5,6', 1))).table.rows).toBe(3);
  });

  it('keeps a tab-separated table tab-separated', async () => {
    const { table } = await analyse(delimited('a,b\n1,2\n', 65_536, '\t'));
    expect(table).toMatchObject({ delimiter: '\t', columns: 1 });
  });

  it('keeps stray quotes inside cells', async () => {
    const { columns } = await analyse('size,n\n5" pipe,1\n7" pipe,2\n');
    expect(columns[0]).toMatchObject({ min: '5" pipe', max: '7" pipe', count: 2 });
  });
});

describe('header rows', () => {
  it('gives a name to each column, and no two the same', async () => {
    const { columns } = await analyse('a,,a,a_2,a, ,__proto__\n1,2,3,4,5,6,7\n');
    expect(columns.map(({ name }) => name)).toEqual(['a', 'column_2', 'a_2', 'a_2_2', 'a_3', 'column_6', '__proto__']);
  });

  it('names a thousand equal columns quickly and refuses one more', async () => {
    const header = Array.from({ length: MAX_COLUMNS }, () => 'x').join(',');
    const { columns } = await analyse(`${header}\n1\n`);
    expect(new Set(columns.map(({ name }) => name)).size).toBe(MAX_COLUMNS);
    await expect(analyse(`${header},x\n1\n`)).rejects.toThrow('1001 columns; at most 1000');
  });

  it('says so when the header looks like data', async () => {
    expect((await analyse('1,2\n3,4\n')).notes).toContain(
      'The first row holds only numbers, but was taken as the header.',
    );
  });

  it('cuts a long name', async () => {
    expect((await analyse(`${'ü'.repeat(5_000)}\n1\n`)).columns[0].name).toHaveLength(101);
  });
});

describe('rows', () => {
  it('counts ragged rows and takes what is there', async () => {
    const statistics = await analyse('a,b,c\n1,2\n1,2,3,4\n1,2,3\n1\n');
    expect(statistics.table).toMatchObject({ rows: 4, raggedRows: { short: 2, long: 1 } });
    expect(statistics.columns.map(({ missing }) => missing)).toEqual([0, 1, 2]);
    expect(statistics.notes).toHaveLength(2);
  });

  it('leaves blank lines out, but not rows of empty cells', async () => {
    const statistics = await analyse('\na,b\n\n1,2\n  \n,\n\n');
    expect(statistics.table).toMatchObject({ rows: 2, raggedRows: { short: 0, long: 0 } });
    expect(statistics.columns.map(({ missing }) => missing)).toEqual([1, 1]);
    expect(statistics.notes).toEqual(['Blank lines left out: 3.']);
  });

  it('takes a blank line between the rows of a single column for a missing value', async () => {
    const statistics = await analyse('a\n1\n\n\n2\n\n');
    expect(statistics.table.rows).toBe(4);
    expect(statistics.columns[0]).toMatchObject({ count: 2, missing: 2 });
  });

  it('reads the last row without a line end', async () => {
    expect((await analyse('a,b\n1,2\n3,4')).columns[1]).toMatchObject({ count: 2, max: 4 });
  });
});

describe('tables that cannot be read', () => {
  it.each(['', '\n\n', '\ufeff', ' \n'])('finds %j empty', async (csv) => {
    await expect(analyse(csv)).rejects.toThrow(EmptyTableError);
  });

  it.each(['a,b', 'a,b\n', 'a,b\n\n\n'])('finds no row in %j', async (csv) => {
    await expect(analyse(csv)).rejects.toThrow('The table has a header but no rows.');
  });

  it.each([
    ['Latin-1', Buffer.from('a,b\n1,Z\xfcrich\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')],
    ['a cut character', Buffer.from('a,b\n1,Zü').subarray(0, 8)],
    ['a surrogate in UTF-8', Buffer.from([0x61, 0x0a, 0xed, 0xa0, 0x80])],
    ['an overlong form', Buffer.from([0x61, 0x0a, 0xc0, 0xaf])],
    ['stray continuation bytes', Buffer.from([0x61, 0x0a, 0x80, 0x80, 0x80, 0x80])],
  ])('refuses %s, however it is cut', async (_, bytes) => {
    for (const chunkBytes of [1, 2, 3, 65_536]) {
      await expect(analyse(delimited(bytes, chunkBytes))).rejects.toThrow(/not valid UTF-8/);
    }
  });

  it('refuses NUL bytes and ZIP archives', async () => {
    await expect(analyse('a,b\n1,\u0000\n')).rejects.toThrow(/NUL/);
    await expect(analyse('PK\u0003\u0004 whatever')).rejects.toThrow(/ZIP/);
  });

  it('names the cause when a quote is never closed', async () => {
    await expect(analyse('a,b\n1,"two\n3,4\n')).rejects.toThrow(/never closed/);
    await expect(analyse(`a,b\n1,"${'x\n'.repeat(MAX_ROW_BYTES)}`)).rejects.toThrow(/longer than 1048576 bytes/);
  });

  it('refuses a row without an end', async () => {
    await expect(analyse(`a,b\n${'1,'.repeat(MAX_ROW_BYTES)}\n`)).rejects.toThrow(TableError);
  });
});

describe('cells', () => {
  const typeOf = async (cells: readonly string[]) => (await analyse(`a,b\n${cells.join(',\n')},\n`)).columns[0];

  it.each([
    [['1', '-2', '+3', '0', '999999999999999'], 'integer'],
    [['1', '2.5', '.5', '1e3', '-1.', '5E-3'], 'number'],
    [['1234567890123456'], 'text'],
    [['12345678901234567890', '7'], 'text'],
    [['01234', '98765'], 'text'],
    [['true', 'FALSE', 'Yes', 'no'], 'boolean'],
    [['2024-02-29', '2023/12/31', '1.2.2024'], 'date'],
    [['2024-02-29T23:59:59.123+02:00', '2024-02-29 10:00'], 'date'],
    [['2023-02-29'], 'text'],
    [['2024-13-01', '2024-01-32', '31.04.2024', '2024-01-01T24:00'], 'text'],
    [['1e999'], 'text'],
    [['0x10', '1_000', 'Infinity', '--1', '1e', '-', '.', '+'], 'text'],
    [['1', 'one'], 'mixed'],
    [['2024-01-01', '5'], 'mixed'],
    [['', 'NA', 'n/a', 'NaN', 'null', ' '], 'empty'],
  ])('takes %j for %s', async (cells, type) => {
    expect((await typeOf(cells)).type).toBe(type);
  });

  it('counts the offset of a time', async () => {
    expect(await typeOf(['2024-03-01T01:00:00+02:00', '2024-02-29T23:30:00Z'])).toMatchObject({
      min: '2024-02-29T23:00:00.000Z',
      max: '2024-02-29T23:30:00.000Z',
    });
  });

  it('keeps the mean of huge and of many small numbers', async () => {
    expect(await typeOf(['1e308', '1.7e308', '1e308'])).toMatchObject({ type: 'number', max: 1.7e308 });
    expect((await typeOf(['1e308', '1e308', '1e308'])).mean).toBeCloseTo(1e308, -300);
    expect((await typeOf(Array.from({ length: 30_000 }, () => '0.1'))).mean).toBe(0.1);
    expect((await typeOf(['1e16', '1.0', '-1e16'])).mean).toBeCloseTo(1 / 3, 12);
  });

  it('does not stumble over a megabyte of digits', async () => {
    const found = await typeOf(['9'.repeat(900_000), `${'9'.repeat(900_000)}x`]);
    expect(found).toMatchObject({ type: 'text', count: 2, distinct: { count: 2 } });
    expect(String(found.max).length).toBeLessThanOrEqual(101);
  });

  it('tells long values apart that begin alike', async () => {
    const start = 'x'.repeat(500);
    const { topValues } = await typeOf([`${start}1`, `${start}2`, `${start}1`]);
    expect(topValues.values.map(({ count }) => count)).toEqual([2, 1]);
    expect(topValues.values[0].value).toBe(`${'x'.repeat(100)}…`);
  });
});

describe('tables too large to remember', () => {
  it('keeps minimum, maximum, mean and missing exact, and says what is estimated', async () => {
    const width = MAX_COLUMNS;
    const rows = 6_000;
    const header = Array.from({ length: width }, (_, index) => `c${index}`).join(',');
    const lines = Array.from({ length: rows }, (_, row) => `${row},${row % 2 ? 'often' : `rare ${row}`}`);
    const { columns, notes } = await analyse(`${header}\n${lines.join('\n')}\n`);
    expect(columns[0]).toMatchObject({ type: 'integer', min: 0, max: rows - 1, mean: (rows - 1) / 2, missing: 0 });
    expect(columns[0].quantiles?.approximate).toBe(true);
    expect(Math.abs(Number(columns[0].quantiles?.p50) - rows / 2)).toBeLessThan(rows * 0.05);
    expect(columns[1].distinct.approximate).toBe(true);
    expect(Math.abs(columns[1].distinct.count - rows / 2)).toBeLessThan(rows * 0.05);
    const [top] = columns[1].topValues.values;
    expect(top.value).toBe('often');
    expect(top.count + (columns[1].topValues.maxError ?? 0)).toBeGreaterThanOrEqual(rows / 2);
    expect(top.count).toBeLessThanOrEqual(rows / 2);
    expect(columns[999]).toMatchObject({ type: 'empty', missing: rows });
    expect(notes).toHaveLength(3);
  });
});

describe('tables of JSON objects', () => {
  it('takes the union of the keys and counts what is not there', async () => {
    const rows = JSON.parse('[{"a":1,"b":null},{"b":"x","c":[1,{"d":2}]},{"__proto__":5,"a":2.5,"c":true}]');
    const statistics = await analyse(objects(rows));
    expect(statistics.columns.map(({ name, count, missing }) => [name, count, missing])).toEqual([
      ['a', 2, 1],
      ['b', 1, 2],
      ['c', 2, 1],
      ['__proto__', 1, 2],
    ]);
    expect(column(statistics, 'c').topValues.values[0].value).toBe('[1,{"d":2}]');
  });

  it('refuses what is no table', async () => {
    await expect(analyse(objects([{ a: 1 }, 5]))).rejects.toThrow('Row 2 of the data is not an object.');
    await expect(analyse(objects([[1]]))).rejects.toThrow('Row 1');
    await expect(analyse(objects([null]))).rejects.toThrow('Row 1');
    await expect(analyse(objects([]))).rejects.toThrow(EmptyTableError);
    await expect(analyse(objects([{}, {}]))).rejects.toThrow(EmptyTableError);
    const wide = Object.fromEntries(Array.from({ length: MAX_COLUMNS + 1 }, (_, index) => [`c${index}`, 1]));
    await expect(analyse(objects([wide]))).rejects.toThrow('more than 1000 columns');
  });

  it('sends on no half of a surrogate pair', async () => {
    const { columns } = await analyse(objects([{ 'k\ud800': 'v\udc00' }]));
    expect(JSON.stringify(columns)).not.toMatch(/\\ud[89a-f]/i);
  });
});

describe('stopping', () => {
  it('stops between two chunks, and lets others have their turn before', async () => {
    const stop = new AbortController();
    let chunks = 0;
    const endless: DelimitedSource = {
      kind: 'delimited',
      filename: undefined,
      delimiter: undefined,
      bytes: 1e12,
      *chunks() {
        yield Buffer.from('a,b\n');
        for (;;) {
          chunks += 1;
          yield Buffer.from('1,2\n'.repeat(1_000));
        }
      },
    };
    setTimeout(() => stop.abort(new Error('stopped by the test')), 20);
    await expect(readTable(endless, { signal: stop.signal })).rejects.toThrow('stopped by the test');
    expect(chunks).toBeGreaterThan(0);
  });

  it('stops while it reads objects', async () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => ({ a: index, b: 'x' }));
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('stopped by the test')));
    await expect(readTable(objects(rows), { signal: stop.signal })).rejects.toThrow('stopped by the test');
  });

  it('passes on what a listener throws', async () => {
    const onProgress = jest.fn(() => Promise.reject(new Error('the task has ended')));
    await expect(analyse('a,b\n1,2\n', { onProgress })).rejects.toThrow('the task has ended');
    expect(onProgress).toHaveBeenCalledTimes(1);
  });
});

describe('the report', () => {
  it('does not let cells and names out of their place', async () => {
    const report = markdownReport(await analyse('"<b>a|b\n# x","n"\n"<script>|`[x](y)`",1\n'));
    expect(report).not.toMatch(/<b>|<script>|\n# x/);
    for (const line of report.split('\n').filter((text) => text.startsWith('|'))) {
      expect(line.replaceAll('\\|', '').split('|')).toHaveLength(11);
    }
  });
});
