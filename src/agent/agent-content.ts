import { randomUUID } from 'node:crypto';
import { decodePart, isRawPart, Role, type Message, type Part, type Struct } from 'nestjs-a2a/protocol';
import { AgentEmitterError } from './agent-emitter.error.js';
import type { AgentContent, AgentMessage, AgentMessageBody } from './agent-output.js';

/** Something an author gave, in wire form, with its rough size. */
export interface Sized<T> {
  readonly value: T;
  readonly bytes: number;
}

const PART_OVERHEAD_BYTES = 24;

/**
 * Copies what an author gave into parts in wire form, so that nothing the author changes later changes the task.
 *
 * @throws AgentEmitterError INVALID_CONTENT, NOT_SERIALISABLE
 */
export function partsOf(content: AgentContent): Sized<Part[]> {
  if (typeof content === 'string') {
    return { value: [{ text: content }], bytes: content.length + PART_OVERHEAD_BYTES };
  }
  const given = Array.isArray(content) ? content : [content];
  if (given.length === 0) throw new AgentEmitterError('INVALID_CONTENT', 'Give at least one part');
  let bytes = 0;
  const value = given.map((part: Part) => {
    const sized = partOf(part);
    bytes += sized.bytes;
    return sized.value;
  });
  return { value, bytes };
}

/** A message of the agent, ready for the wire. */
export function agentMessageOf(message: AgentMessage, ids: { contextId: string; taskId?: string }): Sized<Message> {
  const body = hasParts(message) ? message : { parts: message };
  const parts = partsOf(body.parts);
  const value: Message = { messageId: randomUUID(), contextId: ids.contextId, role: Role.AGENT, parts: parts.value };
  if (ids.taskId !== undefined) value.taskId = ids.taskId;
  let { bytes } = parts;
  if (body.metadata !== undefined) {
    const metadata = plainCopy(body.metadata, 'metadata');
    value.metadata = metadata.value;
    bytes += metadata.bytes;
  }
  if (body.extensions !== undefined) value.extensions = [...body.extensions];
  return { value, bytes };
}

/** A JSON copy of an object. @throws AgentEmitterError NOT_SERIALISABLE (cycles, BigInt, nothing at all) */
export function plainCopy(value: Struct, what: string): Sized<Struct> {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new AgentEmitterError('NOT_SERIALISABLE', `The ${what} cannot be written as JSON`, { cause });
  }
  if (text === undefined) throw new AgentEmitterError('NOT_SERIALISABLE', `The ${what} cannot be written as JSON`);
  const copy: Struct = JSON.parse(text);
  return { value: copy, bytes: text.length };
}

/** The rough size of a message or part in wire form. */
export function sizeOf(value: Message | Part): number {
  if (!('parts' in value)) return sizeOfPart(value);
  const rest = value.metadata === undefined ? 0 : JSON.stringify(value.metadata).length;
  return value.parts.reduce((sum, part) => sum + sizeOfPart(part), rest + PART_OVERHEAD_BYTES);
}

function sizeOfPart(part: Part): number {
  const { metadata } = part;
  const more = metadata === undefined ? 0 : JSON.stringify(metadata).length;
  if ('text' in part) return part.text.length + more + PART_OVERHEAD_BYTES;
  if ('raw' in part) return part.raw.length + more + PART_OVERHEAD_BYTES;
  if ('url' in part) return part.url.length + more + PART_OVERHEAD_BYTES;
  return (JSON.stringify(part.data) ?? '').length + more + PART_OVERHEAD_BYTES;
}

function partOf(part: Part): Sized<Part> {
  const decoded = decodePart(jsonCopyOfPart(part));
  if (decoded.ok) return { value: decoded.value, bytes: sizeOfPart(decoded.value) };
  const faults = decoded.violations.map(({ field, description }) => `${field || 'part'}: ${description}`).join('; ');
  throw new AgentEmitterError('INVALID_CONTENT', `Not a part: ${faults}`);
}

/** File bytes are strings already; only what an author may still hold on to is copied. */
function jsonCopyOfPart(part: Part): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (!isRawPart(part)) return plainCopy({ part: { ...part } }, 'part').value.part;
  const { raw, ...rest } = part;
  const copy = plainCopy({ rest: { ...rest } }, 'part').value.rest;
  return typeof copy === 'object' && copy !== null ? { ...copy, raw } : { raw };
}

function hasParts(message: AgentMessage): message is AgentMessageBody {
  return typeof message === 'object' && !Array.isArray(message) && 'parts' in message;
}
