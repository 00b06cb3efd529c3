/** `agent-timeout-seconds`, `agent_timeout_seconds` and `agentTimeoutSeconds` are one name in three spellings. */
function plain(name: string): string {
  return name.replace(/[-_.\s]/g, '').toLowerCase();
}

/** Number of letters to insert, drop or replace to make one word of the other (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The name that was probably meant, if one is near enough to be worth a guess. */
export function nearName<T extends string>(given: string, names: readonly T[]): T | undefined {
  const wanted = plain(given);
  // Nothing so long is a slip of the pen, and the distance costs the product of the lengths.
  if (wanted.length > 64) return undefined;
  let best: T | undefined;
  let least = Math.max(2, Math.floor(wanted.length / 4)) + 1;
  for (const name of names) {
    const steps = distance(wanted, plain(name));
    if (steps < least && steps < name.length / 2) {
      best = name;
      least = steps;
    }
  }
  return best;
}
