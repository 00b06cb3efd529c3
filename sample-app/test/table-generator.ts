/** A table for tests: its text, and its cells as they were before they were written. */
export interface GeneratedTable {
  readonly csv: string;
  readonly header: readonly string[];
  /** Rows of cells; an empty cell is a missing one. */
  readonly rows: readonly (readonly string[])[];
}

const CITIES = ['Zürich', 'São Paulo', '東京', 'Łódź', 'Reykjavík', 'Αθήνα', 'Québec, QC', 'Smith "The" Town'];
const NOTES = ['plain', 'with, comma', 'say "hello"', 'two\nlines', 'semi;colon', '🙂 emoji', ' padded '];

/** A small generator with a seed (mulberry32), so that each run tests the same table. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Quotes a cell where RFC 4180 asks for it. */
export function csvCell(cell: string): string {
  return /[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Orders with quoted fields, missing values, UTF-8, dates, booleans, codes, and one column of mixed cells. */
export function generateTable(rowCount: number, seed = 7, lineBreak = '\n'): GeneratedTable {
  const random = seededRandom(seed);
  const pick = (values: readonly string[]) => values[Math.floor(random() * values.length)];
  const orMissing = (share: number, value: string) => (random() < share ? '' : value);
  const header = ['id', 'Städte', 'price', 'quantity', 'ordered on', 'seen at', 'paid', 'postcode', 'note', 'mixed'];
  const rows = Array.from({ length: rowCount }, (_, index) => [
    String(index + 1),
    orMissing(0.05, pick(CITIES)),
    orMissing(0.1, (random() * 2_000 - 500).toFixed(2)),
    orMissing(0.02, String(Math.floor(random() * 100))),
    orMissing(0.03, dayFrom(random)),
    `${dayFrom(random)}T${String(Math.floor(random() * 24)).padStart(2, '0')}:30:00Z`,
    orMissing(0.2, random() < 0.3 ? 'true' : 'false'),
    String(Math.floor(random() * 99_999)).padStart(5, '0'),
    orMissing(0.15, pick(NOTES)),
    random() < 0.5 ? String(Math.floor(random() * 10)) : pick(['n.v.', 'later', 'true']),
  ]);
  const csv = [header, ...rows].map((row) => row.map(csvCell).join(',')).join(lineBreak) + lineBreak;
  return { csv, header, rows };
}

function dayFrom(random: () => number): string {
  const start = Date.UTC(2020, 0, 1);
  return new Date(start + Math.floor(random() * 1_500) * 86_400_000).toISOString().slice(0, 10);
}
