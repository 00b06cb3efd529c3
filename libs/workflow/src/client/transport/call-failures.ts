import { messageOf } from '../../errors/causes.js';
import { redactDetail } from '../../errors/redaction.js';
import { RemoteA2AError } from '../../errors/remote-a2a.error.js';
import { WorkflowError } from '../../errors/workflow.error.js';

/**
 * A call to an agent failed. The cause says why; `RemoteA2AError.findIn` finds what the agent said.
 *
 * @publicApi
 */
export class AgentCallError extends WorkflowError {
  constructor(message: string, cause: unknown) {
    super('workflow.execution_failed', message, { cause });
  }
}

/** An error with a text that says what failed; the engine's own errors, time and security among them, say it already. */
export function callFailure(what: string, error: unknown): unknown {
  if (error instanceof WorkflowError && !(error instanceof RemoteA2AError)) return error;
  return new AgentCallError(`${what}: ${redactDetail(messageOf(error))}`, error);
}
