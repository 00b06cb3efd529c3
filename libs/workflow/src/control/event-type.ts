/**
 * The kinds of events of a run.
 *
 * @publicApi
 */
export const EventType = {
  START: 'start',
  STEP_START: 'step_start',
  STEP_COMPLETE: 'step_complete',
  TASK_REQUEST: 'task_request',
  TASK_RESPONSE: 'task_response',
  TASK_STATUS_CHANGED: 'task_status_changed',
  AGENT_REQUEST: 'agent_request',
  AGENT_RESPONSE: 'agent_response',
  AGENT_STATUS_UPDATE: 'agent_status_update',
  AGENT_ARTIFACT_UPDATE: 'agent_artifact_update',
  AGENT_MESSAGE_EVENT: 'agent_message_event',
  NEGOTIATION_REQUEST: 'negotiation_request',
  NEGOTIATION_RESOLVED: 'negotiation_resolved',
  NEGOTIATION_FAILED: 'negotiation_failed',
  /** Reserved: never emitted. */
  AUTHORIZATION_REQUEST: 'authorization_request',
  /** Reserved: never emitted. */
  AUTHORIZATION_RESOLVED: 'authorization_resolved',
  /** Reserved: never emitted. */
  NOTIFICATION: 'notification',
  ROUTE_DECISION: 'route_decision',
  WORKFLOW_COMPLETE: 'workflow_complete',
  COMPLETE: 'complete',
  ERROR: 'error',
  CLOSE: 'close',
} as const;

export type EventType = (typeof EventType)[keyof typeof EventType];
