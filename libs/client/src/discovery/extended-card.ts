import { isRecord } from 'nestjs-a2a/protocol';

/**
 * Lays an extended card over the public one: what it has counts, what it leaves out stays. So an agent that answers with
 * nothing but more skills is still reached, and still asks for the same credentials.
 *
 * @param card the public card
 * @param extended as it was answered
 */
export function mergeExtendedCard(card: object, extended: unknown): unknown {
  if (!isRecord(extended)) return extended;
  const said = Object.entries(extended).filter(([, value]) => value !== undefined && value !== null && !isEmpty(value));
  // A signature is over its own card only.
  const gone = new Set(['signatures', ...('security' in extended ? ['securityRequirements'] : [])]);
  const kept = Object.entries(card).filter(([name]) => !gone.has(name));
  return Object.fromEntries([...kept, ...said]);
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}
