import { describe, expect, it } from '@jest/globals';
import { snippetFaults, snippetsOf } from './doc-snippets.js';
import { filesBelow } from './source-files.js';

const isPage = (path: string): boolean => path.endsWith('.md');
const pages = ['README.md', ...filesBelow('docs', isPage)];

describe('documentation', () => {
  it('has only blocks that compile', () => {
    const snippets = pages.flatMap((page) => snippetsOf(page));
    const compiled = snippets.filter(({ unchecked }) => unchecked === undefined);
    expect(compiled).not.toEqual([]);
    expect(snippetFaults(compiled)).toEqual([]);
  }, 60_000);

  it('says why a block is not compiled', () => {
    const silent = pages.flatMap((page) => snippetsOf(page)).filter(({ unchecked }) => unchecked === '');
    expect(silent.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
  });
});

describe('snippetsOf', () => {
  it('finds TypeScript blocks, with their line, name and reason', () => {
    const text = [
      '# Page',
      '```sh',
      'npm start',
      '```',
      '```ts',
      'const a = 1;',
      '```',
      '- in a list',
      '',
      '  ```ts file=b.ts',
      '  export const b = 2;',
      '  ```',
      '````typescript no-check a fragment of a class',
      'b(): void;',
      '````',
      '```ts no-check',
      '```',
    ].join('\n');
    expect(snippetsOf('p.md', text)).toEqual([
      { page: 'p.md', line: 6, code: 'const a = 1;\n', unchecked: undefined, file: undefined },
      { page: 'p.md', line: 11, code: 'export const b = 2;\n', unchecked: undefined, file: 'b.ts' },
      { page: 'p.md', line: 14, code: 'b(): void;\n', unchecked: 'a fragment of a class', file: undefined },
      { page: 'p.md', line: 17, code: '', unchecked: '', file: undefined },
    ]);
  });
});

describe('snippetFaults', () => {
  it('tells the page and line of what does not compile', () => {
    const text = [
      '```ts file=a.ts',
      "import { TaskState } from 'nestjs-a2a/protocol';",
      'export const end: string = TaskState.COMPLETED;',
      '```',
      '```ts',
      "import { end } from './a.js';",
      'const wrong: number = end;',
      '```',
      '```ts',
      "import { NotThere } from 'nestjs-a2a';",
      '```',
    ].join('\n');
    const faults = snippetFaults(snippetsOf('p.md', text));
    expect(faults).toHaveLength(2);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^p\.md:7 .*not assignable/),
        expect.stringMatching(/^p\.md:10 .*NotThere/),
      ]),
    );
  }, 60_000);
});
