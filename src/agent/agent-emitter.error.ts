/** Why an event was refused. */
export type AgentEmitterErrorCode =
  | 'TASK_ENDED'
  | 'RUN_ENDED'
  | 'TRANSITION_NOT_ALLOWED'
  | 'UNKNOWN_ARTIFACT'
  | 'MESSAGE_NOT_FIRST'
  | 'EVENT_AFTER_MESSAGE'
  | 'NOT_SERIALISABLE'
  | 'INVALID_CONTENT'
  | 'TASK_TOO_LARGE'
  | 'TOO_MANY_WAITING'
  | 'STORE_FAILED';

/**
 * Thrown to the agent's author when an event may not be emitted. The task is not damaged by it.
 *
 * @publicApi
 */
export class AgentEmitterError extends Error {
  constructor(
    /** Stable code of the reason. */
    readonly code: AgentEmitterErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'AgentEmitterError';
  }
}
