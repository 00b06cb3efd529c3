import type { JsonValue, Struct } from '../types/json.js';
import type { Role } from '../types/enums.js';
import type { V03PushNotificationConfig } from './types.js';

// Over HTTP, peers of 0.3 do not speak the JSON of its text but that of its proto file.

/** A file in the JSON of the proto file. */
export interface V03ProtoFile {
  fileWithBytes?: string;
  fileWithUri?: string;
  mimeType?: string;
  name?: string;
}

/** A part in the JSON of the proto file. */
export type V03ProtoPart =
  | { text: string; metadata?: Struct }
  | { file: V03ProtoFile; metadata?: Struct }
  | { data: { data: JsonValue }; metadata?: Struct };

/** A message in the JSON of the proto file; the tasks it refers to have no place there. */
export interface V03ProtoMessage {
  messageId: string;
  role: Role;
  content: V03ProtoPart[];
  contextId?: string;
  taskId?: string;
  extensions?: string[];
  metadata?: Struct;
}

/** A status in the JSON of the proto file. */
export interface V03ProtoTaskStatus {
  /** `TASK_STATE_WORKING`; of CANCELED it is `TASK_STATE_CANCELLED`. */
  state: string;
  message?: V03ProtoMessage;
  timestamp?: string;
}

/** An artifact in the JSON of the proto file. */
export interface V03ProtoArtifact {
  artifactId: string;
  parts: V03ProtoPart[];
  name?: string;
  description?: string;
  extensions?: string[];
  metadata?: Struct;
}

/** A task in the JSON of the proto file. */
export interface V03ProtoTask {
  id: string;
  contextId: string;
  status: V03ProtoTaskStatus;
  artifacts?: V03ProtoArtifact[];
  history?: V03ProtoMessage[];
  metadata?: Struct;
}

/** A change of status in the JSON of the proto file. */
export interface V03ProtoTaskStatusUpdateEvent {
  taskId: string;
  contextId: string;
  status: V03ProtoTaskStatus;
  final?: boolean;
  metadata?: Struct;
}

/** An artifact event in the JSON of the proto file. */
export interface V03ProtoTaskArtifactUpdateEvent {
  taskId: string;
  contextId: string;
  artifact: V03ProtoArtifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: Struct;
}

/** What a message is answered with, in the JSON of the proto file. */
export type V03ProtoSendResult = { task: V03ProtoTask } | { message: V03ProtoMessage };

/** A frame of a stream in the JSON of the proto file. */
export type V03ProtoStreamEvent =
  | V03ProtoSendResult
  | { statusUpdate: V03ProtoTaskStatusUpdateEvent }
  | { artifactUpdate: V03ProtoTaskArtifactUpdateEvent };

/** Body of `/v1/message:send`. */
export interface V03ProtoSendRequest {
  message: V03ProtoMessage;
  configuration?: {
    acceptedOutputModes?: string[];
    pushNotification?: V03PushNotificationConfig;
    historyLength?: number;
    blocking?: boolean;
  };
  metadata?: Struct;
}

/** A push configuration in the JSON of the proto file; its name holds both ids. */
export interface V03ProtoPushConfig {
  name: string;
  pushNotificationConfig: V03PushNotificationConfig;
}

/** Body of `POST /v1/tasks/{id}/pushNotificationConfigs`. */
export interface V03ProtoCreatePushConfig {
  parent: string;
  configId: string;
  config: V03ProtoPushConfig;
}
