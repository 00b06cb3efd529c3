import { nearName } from 'nestjs-a2a/net';
import type { Fields } from './card-fields.js';
import type { CardFindings } from './card-findings.js';

/** Names what will not be in the card, as it is more often a slip than a wish. */
export function warnOfUnknownKeys(
  findings: CardFindings,
  path: string,
  fields: Fields,
  known: readonly string[],
): void {
  for (const key of Object.keys(fields)) {
    if (known.includes(key) || fields[key] === undefined) continue;
    const meant = nearName(key, known);
    const guess = meant === undefined ? '' : `; did you mean ${meant}?`;
    findings.ignored(path === '' ? key : `${path}.${key}`, `the protocol has no such field${guess}`);
  }
}
