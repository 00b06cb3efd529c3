const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]*))/gi;

// JSON is UTF-8 (RFC 8259, section 8.1), and ASCII is a part of that.
const READABLE: ReadonlySet<string> = new Set(['', 'utf-8', 'utf8', 'us-ascii']);

/** The charset a content type names that no body can be read in; `undefined` when it names none but UTF-8. */
export function foreignCharsetOf(contentType: string | undefined): string | undefined {
  // Most content types have no parameters.
  if (contentType?.includes(';') !== true) return undefined;
  for (const [, quoted, bare] of contentType.matchAll(CHARSET)) {
    const charset = (quoted ?? bare ?? '').trim();
    if (!READABLE.has(charset.toLowerCase())) return charset;
  }
  return undefined;
}
