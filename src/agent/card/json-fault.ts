// One token: string, number, word or sign; blanks before it belong to it.
const BLANK = '[ \\t\\n\\r]*';
// From the blank upwards, but for the quote and the backslash; unrolled, so that long strings cost no stack.
const PLAIN = '[ !#-\\[\\]-\\uffff]*';
const STRING = `"${PLAIN}(?:\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`;
const SCALAR = '(?:-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)(?![\\w.+-])';
const TOKEN = new RegExp(`${BLANK}(?:(${STRING})|(${SCALAR})|([{}[\\],:]))`, 'y');
const BLANKS = new RegExp(BLANK, 'y');

type Expected = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/** What may follow a token; `undefined` if the token may not stand here. `open` holds the brackets still open. */
function step(expected: Expected, kind: string, open: string[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  const value = expected === 'value' || expected === 'valueOrEnd';
  const key = expected === 'key' || expected === 'keyOrEnd';
  if (kind === 'string' && key) return 'colon';
  if ((kind === 'string' || kind === 'scalar') && value) return afterValue();
  if ((kind === '{' || kind === '[') && value) {
    open.push(kind);
    return kind === '{' ? 'keyOrEnd' : 'valueOrEnd';
  }
  if (kind === ':' && expected === 'colon') return 'value';
  if (kind === ',' && expected === 'commaOrEnd') return open.at(-1) === '{' ? 'key' : 'value';
  const closable = expected === 'commaOrEnd' || expected === (kind === '}' ? 'keyOrEnd' : 'valueOrEnd');
  if ((kind === '}' || kind === ']') && closable && open.pop() === (kind === '}' ? '{' : '[')) return afterValue();
  return undefined;
}

/**
 * Where a text stops being JSON, as line and column from 1; `undefined` if it is JSON. Node's own message names no
 * place for the commonest faults, and its wording differs between versions.
 */
export function findJsonFault(text: string): { line: number; column: number } | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let position = 0;
  for (;;) {
    BLANKS.lastIndex = position;
    BLANKS.exec(text);
    const start = BLANKS.lastIndex;
    if (start === text.length && expected === 'nothing') return undefined;
    TOKEN.lastIndex = position;
    const token = TOKEN.exec(text);
    const kind = token?.[1] !== undefined ? 'string' : token?.[2] !== undefined ? 'scalar' : token?.[3];
    const next: Expected | undefined = kind === undefined ? undefined : step(expected, kind, open);
    if (next === undefined) {
      const before = text.slice(0, start).split('\n');
      return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    }
    expected = next;
    position = TOKEN.lastIndex;
  }
}
