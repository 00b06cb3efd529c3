import { createHash } from 'node:crypto';

/**
 * The engine's own id of a subtask: always the same for one place in one run. A UUID of version 3 without a namespace.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9562#section-5.3 | RFC 9562, section 5.3}
 */
export function logicalTaskId(executionId: string, stepName: string, index: number): string {
  const bytes = createHash('md5').update(`${executionId}:${stepName}:${index}`, 'utf8').digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x30;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
