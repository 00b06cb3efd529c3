/**
 * Header that names the extensions a client asks for and a server activated.
 *
 * @see A2A 1.0, section 3.2.6
 */
export const A2A_EXTENSIONS_HEADER = 'A2A-Extensions';

const MAX_EXTENSIONS = 64;
const MAX_URI_LENGTH = 2048;

/**
 * Reads an extensions header, given once or several times: each URI once, in order, at most 64 of at most 2048
 * characters. What goes beyond is left out.
 *
 * @see A2A 1.0, section 4.6
 */
export function parseExtensionsHeader(value: string | readonly string[] | undefined): string[] {
  if (value === undefined) return [];
  const uris = new Set<string>();
  for (const line of typeof value === 'string' ? [value] : value) {
    for (const item of commaItems(line)) {
      if (item === '' || item.length > MAX_URI_LENGTH) continue;
      uris.add(item);
      if (uris.size >= MAX_EXTENSIONS) return [...uris];
    }
  }
  return [...uris];
}

// Not split(','): a header of nothing but commas would make an array of its length.
function* commaItems(line: string): Generator<string> {
  let start = 0;
  for (let end = line.indexOf(','); end >= 0; end = line.indexOf(',', start)) {
    yield line.slice(start, end).trim();
    start = end + 1;
  }
  yield line.slice(start).trim();
}
