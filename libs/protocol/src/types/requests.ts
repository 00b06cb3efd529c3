import type { TaskState } from './enums.js';
import type { Struct } from './json.js';
import type { Message } from './message.js';
import type { TaskPushNotificationConfig } from './push.js';
import type { Task } from './task.js';

/**
 * How a message is to be handled.
 *
 * @see A2A 1.0, section 3.2.2
 */
export interface SendMessageConfiguration {
  /** Media types the client can read. */
  acceptedOutputModes?: string[];
  /** Registers a webhook for the task. */
  taskPushNotificationConfig?: TaskPushNotificationConfig;
  /** How many of the latest messages the answer may hold; 0 = none, absent = the server decides. */
  historyLength?: number;
  /** `true`: answer as soon as the task exists. */
  returnImmediately?: boolean;
}

/**
 * Sends a message, for one answer or for a stream.
 *
 * @see A2A 1.0, section 3.2.1
 */
export interface SendMessageRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The message. */
  message: Message;
  /** How to handle it. */
  configuration?: SendMessageConfiguration;
  /** Free data. */
  metadata?: Struct;
}

/**
 * Asks for a task.
 *
 * @see A2A 1.0, section 3.1.3
 */
export interface GetTaskRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  id: string;
  /** How many of the latest messages; 0 = none, absent = the server decides. */
  historyLength?: number;
}

/**
 * Asks for a page of tasks, latest status first.
 *
 * @see A2A 1.0, section 3.1.4
 */
export interface ListTasksRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** Only tasks of this conversation. */
  contextId?: string;
  /** Only tasks in this state. */
  status?: TaskState;
  /** Tasks a page, 1 to 100. */
  pageSize?: number;
  /** `nextPageToken` of the page before. */
  pageToken?: string;
  /** How many of the latest messages a task; 0 = none, absent = the server decides. */
  historyLength?: number;
  /** Only tasks whose status is not older than this: RFC 3339, UTC, milliseconds. */
  statusTimestampAfter?: string;
  /** `true`: tasks come with their artifacts. */
  includeArtifacts?: boolean;
}

/**
 * A page of tasks; all four fields are always there.
 *
 * @see A2A 1.0, section 3.1.4
 */
export interface ListTasksResponse {
  /** The tasks of this page. */
  tasks: Task[];
  /** Asks for the next page; empty on the last one. */
  nextPageToken: string;
  /** The page size that was used. */
  pageSize: number;
  /** Number of tasks that match, on all pages. */
  totalSize: number;
}

/**
 * Cancels a task.
 *
 * @see A2A 1.0, section 3.1.5
 */
export interface CancelTaskRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  id: string;
  /** Free data. */
  metadata?: Struct;
}

/**
 * Opens a stream on a task that is not finished.
 *
 * @see A2A 1.0, section 3.1.6
 */
export interface SubscribeToTaskRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  id: string;
}

/**
 * Asks for one push configuration.
 *
 * @see A2A 1.0, section 3.1.8
 */
export interface GetTaskPushNotificationConfigRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  taskId: string;
  /** The configuration. */
  id: string;
}

/**
 * Removes one push configuration.
 *
 * @see A2A 1.0, section 3.1.10
 */
export interface DeleteTaskPushNotificationConfigRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  taskId: string;
  /** The configuration. */
  id: string;
}

/**
 * Asks for the push configurations of a task.
 *
 * @see A2A 1.0, section 3.1.9
 */
export interface ListTaskPushNotificationConfigsRequest {
  /** Opaque routing key. */
  tenant?: string;
  /** The task. */
  taskId: string;
  /** Configurations a page; absent = the server decides. */
  pageSize?: number;
  /** `nextPageToken` of the page before. */
  pageToken?: string;
}

/**
 * A page of push configurations.
 *
 * @see A2A 1.0, section 3.1.9
 */
export interface ListTaskPushNotificationConfigsResponse {
  /** The configurations of this page. */
  configs?: TaskPushNotificationConfig[];
  /** Asks for the next page; empty or absent on the last one. */
  nextPageToken?: string;
}

/**
 * Asks for the card an authenticated caller may see.
 *
 * @see A2A 1.0, section 3.1.11
 */
export interface GetExtendedAgentCardRequest {
  /** Opaque routing key. */
  tenant?: string;
}
