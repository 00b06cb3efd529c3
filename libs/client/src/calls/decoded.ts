import type { Decoder, FieldViolation } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';

const MAX_SHOWN = 3;

/**
 * Reads what an agent answered.
 *
 * @throws A2AClientError `INVALID_ANSWER`, with the fields that are at fault
 */
export function decoded<T>(decode: Decoder<T>, value: unknown): T {
  const result = decode(value);
  if (result.ok) return result.value;
  throw new A2AClientError('INVALID_ANSWER', `The agent's answer breaks the protocol: ${shown(result.violations)}`);
}

function shown(violations: readonly FieldViolation[]): string {
  const listed = violations
    .slice(0, MAX_SHOWN)
    .map(({ field, description }) => `${field === '' ? 'the result' : field} ${description}`)
    .join(', ');
  return violations.length > MAX_SHOWN ? `${listed} (and ${violations.length - MAX_SHOWN} more)` : listed;
}
