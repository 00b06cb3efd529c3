/**
 * What goes wrong in the workflow engine itself. The engine shows outsiders (history, events) only the `name` of an error
 * it does not know; the message of these is for the one who calls the engine.
 *
 * @publicApi
 */
export class WorkflowError extends Error {
  /** @param code stable name of the kind of failure, e.g. `workflow.timeout` */
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/**
 * A value was given that cannot be meant: a blank name, a part of an unknown kind.
 *
 * @publicApi
 */
export class WorkflowArgumentError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.invalid_argument', message, options);
  }
}

/**
 * Something was asked for that cannot be done as things stand: an executor used twice, a remote state out of turn.
 *
 * @publicApi
 */
export class WorkflowStateError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.execution_failed', message, options);
  }
}

/**
 * A callback of the host gave nothing where something is needed.
 *
 * @publicApi
 */
export class NullResultError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.execution_failed', message, options);
  }
}

/**
 * A limit on time was reached. The name is the one that the other editions of the engine put into history and events.
 *
 * @publicApi
 */
export class TimeoutException extends WorkflowError {
  constructor(message = '', options?: ErrorOptions) {
    super('workflow.timeout', message, options);
  }
}

/**
 * The run, the subtask or the call was cancelled from this side.
 *
 * @publicApi
 */
export class CancellationException extends WorkflowError {
  constructor(message = '', options?: ErrorOptions) {
    super('workflow.cancelled', message, options);
  }
}

/**
 * Security demands that the call is not made: credentials contradict each other, or are missing.
 *
 * @publicApi
 */
export class SecurityException extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.security', message, options);
  }
}

/**
 * The graph of a workflow cannot be run: a cycle, an edge to nowhere.
 *
 * @publicApi
 */
export class WorkflowDefinitionError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.invalid_definition', message, options);
  }
}
