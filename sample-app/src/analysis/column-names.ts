import { shownText } from './shown-text.js';

/** Names for the columns of a header row: each has one, and no two are equal. */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  const suffixes = new Map<string, number>();
  return header.map((cell, index) => {
    const wanted = shownText(cell.trim()) || `column_${index + 1}`;
    let name = wanted;
    let suffix = suffixes.get(wanted) ?? 2;
    while (taken.has(name)) {
      name = `${wanted}_${suffix}`;
      suffix += 1;
    }
    // Remembered, or a thousand equal names would be tried half a million times.
    suffixes.set(wanted, suffix);
    taken.add(name);
    return name;
  });
}
