import { WorkflowArgumentError } from '../errors/workflow.error.js';

// What is longer, a timer takes for nothing.
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DEFAULT_MS = 30_000;

/**
 * Limits of one request to an orchestration center, in milliseconds.
 *
 * @publicApi
 */
export class Timeouts {
  readonly connectTimeout: number;
  readonly readTimeout: number;

  /**
   * @param connectTimeout until there is a connection, TLS included. Default: 30,000
   * @param readTimeout until the headers are there, and between two pieces of the body. Default: 30,000. The whole
   *   request may take as long as both together
   * @throws WorkflowArgumentError
   */
  constructor(connectTimeout = DEFAULT_MS, readTimeout = DEFAULT_MS) {
    this.connectTimeout = checked('connectTimeout', connectTimeout);
    this.readTimeout = checked('readTimeout', readTimeout);
    Object.freeze(this);
  }

  /** For a whole request. */
  get total(): number {
    return Math.min(this.connectTimeout + this.readTimeout, LONGEST_TIMER_MS);
  }
}

function checked(name: string, milliseconds: number): number {
  if (!(milliseconds > 0)) throw new WorkflowArgumentError(`${name} must be positive`);
  if (milliseconds < 1) throw new WorkflowArgumentError(`${name} must be at least 1 millisecond`);
  return Math.min(milliseconds, LONGEST_TIMER_MS);
}
