import * as canonicalizeModule from 'canonicalize';

const canonicalize = serialiserOf(canonicalizeModule);

// What of it is not escaped itself: an even number of backslashes before it.
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/**
 * JSON in its canonical form.
 *
 * @throws TypeError for what has none; text with half a surrogate pair in it is no Unicode, and has none either
 * @see RFC 8785
 */
export function canonicalJson(value: unknown): string {
  const text: unknown = Reflect.apply(canonicalize, undefined, [value]);
  if (typeof text !== 'string') throw new TypeError('Only JSON values have a canonical form');
  // A whole pair is written as it is, only a half is escaped.
  if (LONE_SURROGATE.test(text)) throw new TypeError('there is text with half a surrogate pair in it');
  return text;
}

/** Which member of the import is the function depends on who loads the package: ES module, CommonJS, or a bundler. */
function serialiserOf(imported: unknown): CallableFunction {
  if (typeof imported === 'function') return imported;
  if (typeof imported === 'object' && imported !== null && 'default' in imported) return serialiserOf(imported.default);
  throw new TypeError('The package canonicalize does not export a function');
}
