import * as canonicalizeModule from 'canonicalize';

const canonicalize = serialiserOf(canonicalizeModule);

/**
 * JSON in its canonical form.
 *
 * @see RFC 8785
 */
export function canonicalJson(value: unknown): string {
  const text: unknown = Reflect.apply(canonicalize, undefined, [value]);
  if (typeof text !== 'string') throw new TypeError('Only JSON values have a canonical form');
  return text;
}

/** Which member of the import is the function depends on who loads the package: ES module, CommonJS, or a bundler. */
function serialiserOf(imported: unknown): CallableFunction {
  if (typeof imported === 'function') return imported;
  if (typeof imported === 'object' && imported !== null && 'default' in imported) return serialiserOf(imported.default);
  throw new TypeError('The package canonicalize does not export a function');
}
