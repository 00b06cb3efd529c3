import { isRecord, Role, TaskState } from 'nestjs-a2a/protocol';
import { STATES_BY_NUMBER } from './a2a-js-v1-writers.js';

/** An object whose members are not known yet. */
type Fields = Readonly<Record<string, unknown>>;

// Each makes the wire form of what an executor has made; the protocol's own decoders judge it then.

export function fromV1Message(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { parts, metadata, extensions } = value;
  // Ids of messages are the server's.
  return { messageId: 'none', role: Role.AGENT, parts: listOf(parts, fromV1Part), metadata, extensions };
}

export function fromV1Artifact(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { artifactId, name, description, parts, metadata, extensions } = value;
  return { artifactId, ...named({ name, description }), parts: listOf(parts, fromV1Part), metadata, extensions };
}

export function fromV1Artifacts(value: unknown): unknown {
  return listOf(value, fromV1Artifact);
}

/** The time is left out: the server has its own. */
export function fromV1Status(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { state, message } = value;
  const known = typeof state === 'number' ? STATES_BY_NUMBER[state] : state;
  return { state: known ?? TaskState.UNSPECIFIED, message: fromV1Message(message) };
}

function fromV1Part(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { content, metadata, filename, mediaType } = value;
  const common = { metadata, ...named({ filename, mediaType }) };
  if (!isRecord(content)) return common;
  const { $case, value: inner } = content;
  if ($case === 'raw') return { raw: base64Of(inner), ...common };
  if ($case === 'data') return { data: inner ?? null, ...common };
  return typeof $case === 'string' ? { [$case]: inner, ...common } : common;
}

function listOf(value: unknown, read: (entry: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(read) : value;
}

/** Its generated code writes `''` for what is not there. */
function named(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function base64Of(value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}
