import { filledArrayOf, plainArrayOf } from '../decode/collections.js';
import type { Decode } from '../decode/decoder.js';
import { struct } from '../decode/json-value.js';
import { message, optional, required, requiredOr } from '../decode/message-decoder.js';
import { anyString, boolean, idString, plainString, timestamp } from '../decode/scalars.js';
import type { TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '../types/events.js';
import type { Message } from '../types/message.js';
import type { Part } from '../types/part.js';
import type { Artifact, Task, TaskStatus } from '../types/task.js';
import { v03Role, v03State } from './enum-names.js';
import { mapped } from './mapped.js';
import { present } from './present.js';
import { v03Part, v03ProtoPart } from './part-decoders.js';

/** A change of status, and whether the stream ends with it. */
export interface FinalStatus {
  statusUpdate: TaskStatusUpdateEvent;
  final: boolean;
}

/** How the objects around tasks are read in one of the two forms of 0.3. */
export interface V03Objects {
  message: Decode<Message>;
  status: Decode<TaskStatus>;
  artifact: Decode<Artifact>;
  task: Decode<Task>;
  statusUpdate: Decode<FinalStatus>;
  artifactUpdate: Decode<TaskArtifactUpdateEvent>;
}

const ZONELESS = /T[\d:.]{5,20}$/;

/** Its own examples have timestamps without a zone: they are UTC. */
const v03Timestamp: Decode<string> = (value, issues) =>
  timestamp(typeof value === 'string' && value.length < 40 && ZONELESS.test(value) ? `${value}Z` : value, issues);

function objectsOf(partsName: 'parts' | 'content', part: Decode<Part>): V03Objects {
  const parts = requiredOr(filledArrayOf(part), () => []);
  const envelope = {
    messageId: required(idString),
    contextId: optional(idString),
    taskId: optional(idString),
    role: required(v03Role),
    metadata: optional(struct),
    extensions: optional(plainArrayOf(anyString)),
    referenceTaskIds: optional(plainArrayOf(idString)),
  };
  const messageObject: Decode<Message> =
    partsName === 'parts'
      ? message({ ...envelope, parts })
      : mapped(message({ ...envelope, content: parts }), ({ content, ...rest }) => ({ ...rest, parts: content }));
  const status = message({
    state: required(v03State),
    message: optional(messageObject),
    timestamp: optional(v03Timestamp),
  });
  const artifact = message({
    artifactId: required(idString),
    name: optional(plainString),
    description: optional(plainString),
    parts,
    metadata: optional(struct),
    extensions: optional(plainArrayOf(anyString)),
  });
  const event = { taskId: required(idString), contextId: required(idString), metadata: optional(struct) };
  return {
    message: messageObject,
    status,
    artifact,
    task: message({
      id: required(idString),
      contextId: optional(idString),
      status: required(status),
      artifacts: optional(plainArrayOf(artifact)),
      history: optional(plainArrayOf(messageObject)),
      metadata: optional(struct),
    }),
    statusUpdate: mapped(
      message({ ...event, status: required(status), final: optional(boolean) }),
      ({ final = false, ...statusUpdate }) => ({ statusUpdate, final }),
    ),
    artifactUpdate: mapped(
      message({
        ...event,
        artifact: required(artifact),
        append: optional(boolean),
        lastChunk: optional(boolean),
      }),
      present,
    ),
  };
}

/** In the JSON of the text, which JSON-RPC has. */
export const v03Objects = objectsOf('parts', v03Part);

/** In the JSON of the proto file, which HTTP+JSON has. */
export const v03ProtoObjects = objectsOf('content', v03ProtoPart);
