import type { JsonValue, Role, TaskState } from 'nestjs-a2a/protocol';
import type { JsonObject } from '../model/business-values.js';
import type { HistoryEntry, StepOutputs } from '../model/execution-result.js';
import type { MessageContent } from '../model/message-content.js';
import type { NegotiationReply, NegotiationRequest } from '../model/negotiation.js';
import type { ReceivedMessage } from '../model/received-message.js';
import type { TaskStatus } from '../model/task-status.js';
import type { EventType } from './event-type.js';

/** Events of the executor say which run they belong to. */
interface OfExecution {
  readonly executionId: string;
}

type StepResults = Readonly<Record<string, readonly JsonValue[]>>;

/**
 * A streamed update of an agent, in short.
 *
 * @publicApi
 */
export interface AgentStatusEvent {
  readonly agent: string;
  readonly event_kind: 'status';
  readonly task_id: string;
  readonly state: TaskState;
  readonly is_final: boolean;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/**
 * A piece of an artifact, in short.
 *
 * @publicApi
 */
export interface AgentArtifactEvent {
  readonly agent: string;
  readonly event_kind: 'artifact';
  readonly task_id: string;
  readonly artifact_id: string;
  readonly artifact_name: string;
  readonly append: boolean;
  readonly last_chunk: boolean;
  readonly text?: string;
  /** The artifact's, else the event's. */
  readonly metadata?: JsonObject;
}

/**
 * A message of an agent, in short.
 *
 * @publicApi
 */
export interface AgentMessageEvent {
  readonly agent: string;
  readonly event_kind: 'message';
  readonly role: Role;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/**
 * A whole task, in short: told to who subscribed, never an event of a run.
 *
 * @publicApi
 */
export interface AgentTaskEvent {
  readonly agent: string;
  readonly event_kind: 'task';
  readonly task_id: string;
  readonly state: TaskState;
  readonly is_final: boolean;
  readonly text?: string;
  readonly metadata?: JsonObject;
}

/**
 * The events that an agent streams, as callbacks are told of them.
 *
 * @publicApi
 */
export type AgentEvent = AgentStatusEvent | AgentArtifactEvent | AgentMessageEvent | AgentTaskEvent;

/**
 * What a step, or the whole run, failed with.
 *
 * @publicApi
 */
export type ErrorEventData =
  | (OfExecution & {
      readonly step: string;
      readonly results: StepResults;
      readonly error: string;
      readonly errorCode: string;
    })
  | (OfExecution & { readonly error: string })
  | { readonly error: string; readonly history: readonly HistoryEntry[]; readonly step_outputs: StepOutputs };

/**
 * What each kind of event carries. The spelling of the members is that of the other editions of the engine.
 *
 * @publicApi
 */
export interface EventData {
  /** `workflow`: its name; `steps`: how many. */
  start: { readonly workflow: string; readonly steps: number };
  step_start: OfExecution & { readonly step: string };
  step_complete: OfExecution & { readonly step: string; readonly results: StepResults };
  /** `task`: the description. */
  task_request: OfExecution & { readonly step: string; readonly agent: string; readonly task: string };
  task_response: OfExecution & {
    readonly step: string;
    readonly subtask_index: number;
    readonly agent: string;
    readonly task: string;
    readonly outputs: readonly JsonValue[];
    readonly success: boolean;
    readonly taskId: string;
    readonly error: string;
    readonly errorCode: string;
    readonly errorDetails: JsonObject;
  };
  task_status_changed: OfExecution & {
    readonly step: string;
    readonly subtask_index: number;
    readonly agent: string;
    readonly status: TaskStatus;
  };
  agent_request: { readonly agent: string; readonly content: MessageContent };
  agent_response: {
    readonly agent: string;
    readonly response: string;
    readonly receivedMessages: readonly ReceivedMessage[];
  };
  agent_status_update: AgentStatusEvent;
  agent_artifact_update: AgentArtifactEvent;
  agent_message_event: AgentMessageEvent;
  /** `exchange`: counts from 1. */
  negotiation_request: { readonly agent: string; readonly request: NegotiationRequest; readonly exchange: number };
  negotiation_resolved: { readonly agent: string; readonly exchange: number; readonly reply: NegotiationReply };
  /** `errorType`: name of the error's class. */
  negotiation_failed: { readonly agent: string; readonly exchange: number; readonly errorType: string };
  authorization_request: JsonObject;
  authorization_resolved: JsonObject;
  notification: JsonObject;
  route_decision: OfExecution & {
    readonly step: string;
    readonly next: string;
    readonly condition: string;
    readonly conditional: boolean;
    readonly allowed: boolean;
    readonly reason: string;
  };
  workflow_complete: OfExecution & { readonly success: boolean };
  complete: { readonly history: readonly HistoryEntry[]; readonly step_outputs: StepOutputs };
  error: ErrorEventData;
  close: Readonly<Record<string, never>>;
}

/**
 * An event of a run.
 *
 * @publicApi
 */
export type WorkflowEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly data: EventData[K];
    /** Seconds since 1970, with fractions. */
    readonly timestamp: number;
  };
}[T];
