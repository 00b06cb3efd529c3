import { describe, expect, it } from '@jest/globals';
import { readFrontmatter } from './skill-frontmatter.js';

const file = (yaml: string): string => `---\n${yaml}\n---\n\n# Body: not read\n`;
const bomb = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...'bcdefgh'.split('').map((key, i) => {
    const before = 'abcdefgh'[i] ?? '';
    return `${key}: &${key} [${Array.from({ length: 9 }, () => `*${before}`).join(',')}]`;
  }),
  'name: *h',
].join('\n');

describe('readFrontmatter', () => {
  it.each([
    ['name and description', 'name: cook\ndescription: Cooks', { name: 'cook', description: 'Cooks' }],
    [
      'scalars as they are written',
      'name: 12\nversion: 1.10\nlicense: no',
      { name: '12', version: '1.10', license: 'no' },
    ],
    ['folded text', 'name: a\ndescription: >\n  one\n  two\n', { name: 'a', description: 'one two' }],
    [
      'lists, and texts with commas',
      'name: a\ntags: [x, y]\nexamples: Boil, please\ninput-modes: text/plain, image/png',
      { name: 'a', tags: ['x', 'y'], examples: ['Boil, please'], inputModes: ['text/plain', 'image/png'] },
    ],
    [
      'what is under metadata',
      'name: a\nmetadata:\n  tags: x\n  version: "2"\n  author: me',
      { name: 'a', tags: ['x'], version: '2' },
    ],
    ['what is said twice, outside first', 'name: a\nversion: 1\nmetadata: { version: 2 }', { name: 'a', version: '1' }],
    ['nothing of other tools', 'name: a\nallowed-tools: Bash\ntags:\n__proto__: { version: 9 }', { name: 'a' }],
  ])('reads %s', (_what, yaml, skill) => {
    expect(readFrontmatter(file(yaml))).toEqual({ skill });
    expect(readFrontmatter(`\uFEFF${file(yaml).replaceAll('\n', '\r\n')}`)).toEqual({ skill });
  });

  it.each([
    ['no head', '# Cook', 'must begin with YAML'],
    ['a head without an end', '---\nname: a\n', 'has no end'],
    ['no name', file('description: x'), 'has no name'],
    ['a blank name', file('name: " "'), 'has no name'],
    ['a name that is a list', file('name: [a]'), 'name must be a text'],
    ['tags that are maps', file('name: a\ntags: [{ a: b }]'), 'tags[0] must be a text'],
    ['a list', file('- a'), 'must be a map'],
    ['broken YAML, with its line', file('name: a\n: : ]'), 'line 3 is not YAML'],
    ['a key twice', file('name: a\nname: b'), 'line 3 is not YAML'],
    ['a tag', file('name: !!js/function "x"'), 'line 2 is not YAML'],
    ['bytes that are no UTF-8', Buffer.from(file('name: caf\xe9'), 'latin1').toString(), 'is not UTF-8'],
    ['aliases', file('name: &a x\ndescription: *a'), 'aliases'],
    ['an alias bomb', file(bomb), 'aliases'],
    ['brackets without end', file(`name: ${'['.repeat(20_000)}`), ''],
  ])('refuses %s', (_what, text, fault) => {
    expect(readFrontmatter(text).fault).toContain(fault);
  });
});
