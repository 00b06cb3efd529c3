import { describe, expect, it } from '@jest/globals';
import { forbiddenSyntax } from './forbidden-syntax.js';
import { findCycle, importsOf, parse } from './import-graph.js';

const ENTRIES = new Map([['nestjs-a2a/protocol', 'libs/protocol/src/index.ts']]);
const read = (text: string) => importsOf(parse('src/a/b.ts', text), ENTRIES);

describe('importsOf', () => {
  it.each([
    ["import { a } from './c.js';", 'src/a/c.ts', false, false],
    ["import { type A, b } from '../c.js';", 'src/c.ts', false, false],
    ["import type { A } from './c.js';", 'src/a/c.ts', true, false],
    ["import { type A } from './c.js';", 'src/a/c.ts', true, false],
    ["import './c.js';", 'src/a/c.ts', false, false],
    ["import x from 'x';", undefined, false, true],
    ["import type x from 'x';", undefined, true, false],
    ["import x = require('x');", undefined, false, true],
    ["export { a } from './c.js';", 'src/a/c.ts', false, false],
    ["export type { A } from './c.js';", 'src/a/c.ts', true, false],
    ["export * from 'nestjs-a2a/protocol';", 'libs/protocol/src/index.ts', false, false],
    ["const a = await import('nestjs-a2a/protocol');", 'libs/protocol/src/index.ts', false, false],
    ["const a = require('./c.js');", 'src/a/c.ts', false, false],
    ["type A = import('./c.js').A;", 'src/a/c.ts', true, false],
  ])('reads %s', (text, to, typeOnly, defaultImport) => {
    expect(read(text)).toEqual([expect.objectContaining({ from: 'src/a/b.ts', line: 1, to, typeOnly, defaultImport })]);
  });

  it('refuses an import that it cannot follow', () => {
    expect(() => read('await import(name);')).toThrow('src/a/b.ts');
  });
});

describe('findCycle', () => {
  const edge = (from: string, to: string) => ({
    from,
    to,
    line: 1,
    specifier: to,
    typeOnly: false,
    defaultImport: false,
  });

  it.each([
    ['none in a diamond', ['ab', 'ac', 'bd', 'cd'], undefined],
    ['a file that imports itself', ['aa'], ['a', 'a']],
    ['a long one behind others', ['ab', 'ac', 'cd', 'de', 'ec'], ['c', 'd', 'e', 'c']],
  ])('finds %s', (_name, pairs, expected) => {
    expect(findCycle(pairs.map((pair) => edge(pair.charAt(0), pair.charAt(1))))).toEqual(expected);
  });
});

describe('forbiddenSyntax', () => {
  it.each([
    ['const here = import.meta.url;', ['x.ts:1 import.meta']],
    ['\nawait start();', ['x.ts:2 top-level await']],
    ['if (a) { for await (const b of c) d(b); }', ['x.ts:1 top-level await']],
    ['async () => { await start(); for await (const b of c) d(b); };', []],
    ['class A { async start() { await this.end(); } }', []],
  ])('%s', (text, expected) => {
    expect(forbiddenSyntax(parse('x.ts', text))).toEqual(expected);
  });
});
