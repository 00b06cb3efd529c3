import { WorkflowError } from './workflow.error.js';

/** Its code. */
export const OUTCOME_UNKNOWN = 'workflow.outcome_unknown';

/**
 * A message was perhaps sent before a crash, and the agent knows of no task of it: it may have been lost, or done without
 * a trace. Sending it again could do the work twice.
 *
 * @publicApi
 */
export class OutcomeUnknownError extends WorkflowError {
  constructor(agentName: string, options?: ErrorOptions) {
    super(
      OUTCOME_UNKNOWN,
      `Whether ${agentName} got the message is unknown: it lists no task of it. ` +
        'Look there, then resume with resending allowed, or start anew',
      options,
    );
  }
}
