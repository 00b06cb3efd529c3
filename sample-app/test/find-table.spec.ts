import { describe, expect, it } from '@jest/globals';
import { Role, type Message, type Part } from 'nestjs-a2a/protocol';
import { findTable } from '../src/source/find-table.js';
import type { TableSource } from '../src/source/table-source.js';
import { TableError } from '../src/source/table.error.js';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const message = (parts: Part[], role: Role = Role.USER): Message => ({ messageId: 'm', role, parts });

function tableIn(...parts: Part[]): TableSource | undefined {
  const search = findTable(message(parts));
  return 'table' in search ? search.table : undefined;
}

function textOf(source: TableSource | undefined): string | undefined {
  return source?.kind === 'delimited' ? Buffer.concat([...source.chunks()]).toString('utf8') : undefined;
}

describe('finding a table in a message', () => {
  it.each<[string, Part]>([
    ['by its media type', { raw: base64('a,b'), mediaType: 'text/csv' }],
    [
      'by its media type with parameters',
      { raw: base64('a,b'), mediaType: 'Text/CSV; charset="UTF-8"; header=present' },
    ],
    ['by its name', { raw: base64('a,b'), filename: 'T.CSV' }],
    ['by its name, of unnamed bytes', { raw: base64('a,b'), filename: 't.csv', mediaType: 'application/octet-stream' }],
    ['without a name', { raw: base64('a,b') }],
    ['as text', { text: 'a,b', mediaType: 'text/csv' }],
    ['as text with a file name', { text: 'a,b', filename: 'x.csv' }],
  ])('takes a file %s', (_, part) => {
    expect(tableIn({ text: 'here it is' }, part)).toMatchObject({ kind: 'delimited', bytes: 3, delimiter: undefined });
    expect(textOf(tableIn(part))).toBe('a,b');
  });

  it('knows a tab-separated table', () => {
    expect(tableIn({ raw: base64('a\tb'), filename: 'x.tsv' })).toMatchObject({ delimiter: '\t' });
    expect(tableIn({ text: 'a\tb', mediaType: 'text/tab-separated-values' })).toMatchObject({ delimiter: '\t' });
  });

  it('takes objects as data, in `rows`, and in a JSON file', () => {
    const rows = [{ a: 1 }, { a: 2 }];
    for (const part of [
      { data: rows },
      { data: { rows } },
      { raw: base64(JSON.stringify(rows)), mediaType: 'application/json' },
      { raw: base64(JSON.stringify({ rows })), filename: 'x.json' },
      { text: JSON.stringify(rows), mediaType: 'application/json' },
    ]) {
      expect(tableIn(part)).toMatchObject({ kind: 'objects', rows });
    }
  });

  it('decodes large files piece by piece without losing a byte', () => {
    const text = 'ü€🙂,"x"\n'.repeat(40_000);
    expect(textOf(tableIn({ raw: base64(text), mediaType: 'text/csv' }))).toBe(text);
    expect(textOf(tableIn({ text: `x${text}`, mediaType: 'text/csv' }))).toBe(`x${text}`);
  });

  it.each<[string, Part[]]>([
    ['none', [{ text: 'a,b\n1,2' }]],
    ['url', [{ text: 'look there' }, { url: 'https://example.com/t.csv', mediaType: 'text/csv' }]],
    ['data', [{ data: { answer: 42 } }]],
    ['data', [{ data: null }]],
    ['data', [{ data: { rows: 5 } }]],
  ])('says what there is instead of a table: %s', (missing, parts) => {
    expect(findTable(message(parts))).toEqual({ missing });
  });

  it.each<[string, Part]>([
    ['an image', { raw: base64('x'), mediaType: 'image/png' }],
    ['a workbook', { raw: base64('x'), filename: 'book.xlsx' }],
    ['another character set', { raw: base64('x'), mediaType: 'text/csv; charset=latin1' }],
    ['broken JSON', { raw: base64('[{"a":'), mediaType: 'application/json' }],
    ['JSON that is no table', { raw: base64('{"a":1}'), mediaType: 'application/json' }],
    ['a JSON file that is too large', { raw: base64(' '.repeat(9_000_000)), mediaType: 'application/json' }],
  ])('refuses %s, unless there is a table beside it', (_, part) => {
    expect(() => findTable(message([part]))).toThrow(TableError);
    expect(tableIn(part, { text: 'a,b', mediaType: 'text/csv' })).toBeDefined();
  });
});

describe('finding a table in earlier messages', () => {
  const table = (text: string): Part => ({ text, mediaType: 'text/csv' });
  const search = (own: Part[], history: Message[]) => {
    const found = findTable(message(own), history);
    return 'table' in found ? textOf(found.table) : found.missing;
  };

  it('prefers the message itself', () => {
    expect(search([table('new')], [message([table('old')])])).toBe('new');
  });

  it('takes the latest of the sender', () => {
    const history = [message([table('first')]), message([table('second')]), message([table('agent')], Role.AGENT)];
    expect(search([{ text: 'here it is' }], history)).toBe('second');
  });

  it('passes over what was refused before', () => {
    const history = [message([table('first')]), message([{ raw: base64('x'), mediaType: 'image/png' }])];
    expect(search([{ text: 'again' }], history)).toBe('first');
    expect(search([{ text: 'again' }], [history[1]])).toBe('none');
  });
});
