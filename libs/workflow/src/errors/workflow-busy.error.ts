import { WorkflowError } from './workflow.error.js';

/**
 * As many runs are at work as may be. Nothing was begun: try again when one has ended.
 *
 * @publicApi
 */
export class WorkflowBusyError extends WorkflowError {
  constructor(message: string, options?: ErrorOptions) {
    super('workflow.busy', message, options);
  }
}
