const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const ADDRESS = /(127\.0\.0\.1|localhost|\[::1?\]):\d+/g;
const PAGE_TOKEN = /("nextPageToken":")[^"]+/g;

/** A text in which what differs from run to run is named by the order in which it appears. */
export function normalise(text: string): string {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    const known = ids.get(id) ?? `<id ${ids.size + 1}>`;
    ids.set(id, known);
    return known;
  };
  return text
    .replace(PAGE_TOKEN, '$1<token>')
    .replace(UUID, named)
    .replace(TIMESTAMP, '<time>')
    .replace(ADDRESS, '<address>');
}
