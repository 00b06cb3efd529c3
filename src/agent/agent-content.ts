import { randomUUID } from 'node:crypto';
import {
  decodeArtifact,
  decodeMessage,
  decodePart,
  isRawPart,
  Role,
  type Artifact,
  type FieldViolation,
  type Message,
  type Part,
  type Struct,
} from 'nestjs-a2a/protocol';
import { withFields } from '../with-fields.js';
import { AgentEmitterError } from './agent-emitter.error.js';
import type { AgentContent, AgentMessage, AgentMessageBody, ArtifactOptions } from './agent-output.js';

/** Something an author gave, in wire form, with its rough size. */
export interface Sized<T> {
  readonly value: T;
  readonly bytes: number;
}

const OVERHEAD_BYTES = 24;

/**
 * Copies what an author gave into parts in wire form, so that nothing the author changes later changes the task.
 *
 * @throws AgentEmitterError INVALID_CONTENT, NOT_SERIALISABLE
 */
export function partsOf(content: AgentContent): Sized<Part[]> {
  if (typeof content === 'string') {
    return { value: [{ text: content }], bytes: content.length + OVERHEAD_BYTES };
  }
  const given: readonly Part[] = Array.isArray(content) ? content : [content];
  if (given.length === 0) throw new AgentEmitterError('INVALID_CONTENT', 'Give at least one part');
  let bytes = 0;
  // Not `map()`, which passes over holes.
  const value = Array.from(given, (part) => {
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
  const { metadata, extensions } = body;
  if (metadata === undefined && extensions === undefined) return { value, bytes: parts.bytes };
  const head = plainCopy({ metadata, extensions }, 'message');
  const decoded = decodeMessage({ ...value, ...head.value });
  if (!decoded.ok) throw invalid('a message', decoded.violations);
  return { value: decoded.value, bytes: parts.bytes + head.bytes };
}

/** What an artifact has besides its parts, as an author gave it. */
export type ArtifactHead = Omit<ArtifactOptions, 'append' | 'lastChunk'>;

/** An artifact of these parts, ready for the wire. @throws AgentEmitterError INVALID_CONTENT, NOT_SERIALISABLE */
export function artifactOf(parts: Sized<Part[]>, given: ArtifactHead): Sized<Artifact> {
  const head = plainCopy({ ...given }, 'artifact');
  const decoded = decodeArtifact(withFields({ artifactId: randomUUID(), ...head.value }, { parts: parts.value }));
  if (!decoded.ok) throw invalid('an artifact', decoded.violations);
  return { value: decoded.value, bytes: parts.bytes + head.bytes };
}

/** A JSON copy of an object. @throws AgentEmitterError NOT_SERIALISABLE (cycles, BigInt, nothing at all) */
export function plainCopy(value: object, what: string): Sized<Struct> {
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

/** The rough size of a message or part in wire form: everything in it that can be long. */
export function sizeOf(value: Message | Part): number {
  if (!('parts' in value)) return sizeOfPart(value);
  const { messageId, contextId = '', taskId = '', extensions, referenceTaskIds } = value;
  const ids =
    messageId.length + contextId.length + taskId.length + sizeOfList(extensions) + sizeOfList(referenceTaskIds);
  return value.parts.reduce((sum, part) => sum + sizeOfPart(part), ids + sizeOfMetadata(value) + OVERHEAD_BYTES);
}

/** The rough size of a list of texts. */
export function sizeOfList(texts: readonly string[] | undefined): number {
  return texts === undefined ? 0 : texts.reduce((sum, text) => sum + text.length + OVERHEAD_BYTES, 0);
}

function sizeOfPart(part: Part): number {
  const { filename = '', mediaType = '' } = part;
  const more = filename.length + mediaType.length + sizeOfMetadata(part) + OVERHEAD_BYTES;
  if ('text' in part) return part.text.length + more;
  if ('raw' in part) return part.raw.length + more;
  if ('url' in part) return part.url.length + more;
  return (JSON.stringify(part.data) ?? '').length + more;
}

function sizeOfMetadata({ metadata }: { readonly metadata?: Struct }): number {
  return metadata === undefined ? 0 : JSON.stringify(metadata).length;
}

function partOf(part: Part): Sized<Part> {
  const decoded = decodePart(jsonCopyOfPart(part));
  if (decoded.ok) return { value: decoded.value, bytes: sizeOfPart(decoded.value) };
  throw invalid('a part', decoded.violations);
}

function invalid(what: string, violations: readonly FieldViolation[]): AgentEmitterError {
  const faults = violations.map(({ field, description }) => `${field || 'it'} ${description}`).join('; ');
  return new AgentEmitterError('INVALID_CONTENT', `Not ${what}: ${faults}`);
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
