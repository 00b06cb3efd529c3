import { JSONParseError } from './errors/request-errors.js';

const BYTE_ORDER_MARK = 0xfeff;

/**
 * Parses JSON from outside. Own keys named `__proto__` are left out; a byte order mark at the start is skipped.
 *
 * @throws JSONParseError when it is not JSON
 */
export function parseJson(text: string): unknown {
  const value = parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  // The key may be written with escapes; of all texts only those with an escape of that kind are walked.
  if (text.includes('__proto__') || text.includes('\\u00')) removeProtoKeys(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError(undefined, { cause });
  }
}

// Not a reviver, nor recursion: on deep JSON both overflow the stack.
function removeProtoKeys(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) open.push(child);
  }
}
