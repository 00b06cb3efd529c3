/** What may stand between two cells. The order decides between equals. */
export type Delimiter = ',' | ';' | '\t' | '|';

const CANDIDATES: readonly Delimiter[] = [',', ';', '\t', '|'];
const LINES_LOOKED_AT = 50;

/**
 * Guesses the delimiter from the beginning of a table: the one that stands equally often in the most rows. Quoted text
 * does not count. A table of one column has none; a comma does no harm there.
 */
export function guessDelimiter(head: string): Delimiter {
  const lines = countCandidates(head);
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const [index, candidate] of CANDIDATES.entries()) {
    const inHeader = lines[0]?.[index] ?? 0;
    if (inHeader === 0) continue;
    const alike = lines.filter((counts) => counts[index] === inHeader).length / lines.length;
    // More cells win between delimiters that fit equally well: decimal commas also come once a row.
    const score = alike * 1_000 + Math.min(inHeader, 999);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** How often each candidate stands in each of the first lines. */
function countCandidates(head: string): number[][] {
  const lines: number[][] = [];
  let counts = CANDIDATES.map(() => 0);
  let quoted = false;
  let cells = false;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n' || character === '\r') {
      if (cells) lines.push(counts);
      if (lines.length === LINES_LOOKED_AT) return lines;
      counts = CANDIDATES.map(() => 0);
      cells = false;
      continue;
    }
    cells = true;
    const index = CANDIDATES.findIndex((candidate) => candidate === character);
    if (index >= 0) counts[index] += 1;
  }
  // The last line may be cut off where the head ends, so it speaks only when it is all there is.
  if (lines.length === 0) lines.push(counts);
  return lines;
}
