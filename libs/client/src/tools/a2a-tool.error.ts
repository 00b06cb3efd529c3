import { A2AError } from 'nestjs-a2a/protocol';
import { A2AClientError, A2AHttpError } from '../client-error.js';
import { A2ATaskFailedError } from '../task/task-text.js';

const UNNAMED = 'TOOL_FAILED';
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const LOGIN = 'This program may not call the agent as it is set up';

/** What a model is told; the whole story, with hosts and headers, is for the log. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['TIMEOUT', 'The agent did not answer in time'],
  ['ANSWER_TOO_LARGE', 'The answer of the agent is too large'],
  ['FRAME_TOO_LARGE', 'The answer of the agent is too large'],
  ['EMPTY_STREAM', 'The agent gave no answer'],
  ['STREAM_BROKEN', 'The connection to the agent broke'],
  ['INVALID_ANSWER', 'The answer of the agent could not be understood'],
  ['NOT_JSON', 'The answer of the agent could not be understood'],
  ['CREDENTIALS_MISSING', LOGIN],
  ['CREDENTIALS_CONFLICT', LOGIN],
  ['CREDENTIALS_NOT_FOR_ORIGIN', LOGIN],
  ['CREDENTIAL_FAILED', LOGIN],
  ['CREDENTIAL_INVALID', LOGIN],
  ['TOO_MANY_CALLS', 'Too many calls to the agent at the same time; make them one after the other'],
]);

/**
 * A tool call failed. The message is written for a model: it says what happened in a sentence, and holds no addresses,
 * no headers and nothing of what a stranger's server answered, but for the words of an agent about its own failed task.
 *
 * @publicApi
 */
export class A2AToolError extends A2AClientError {
  /**
   * @param cause what a call threw; it stays the `cause`, for the log. Its code stays too, `TASK_FAILED` or `TIMEOUT` for
   *   example; `TOOL_FAILED` where it has none
   */
  static of(cause: unknown): A2AToolError {
    if (cause instanceof A2AToolError) return cause;
    if (cause instanceof A2ATaskFailedError) return new A2AToolError(cause.code, cause.message, { cause });
    if (!(cause instanceof A2AError || cause instanceof A2AClientError)) {
      return new A2AToolError(UNNAMED, 'The agent could not be called', { cause });
    }
    const { retryAfterSeconds } = cause;
    const code = CODE.test(cause.code) ? cause.code : UNNAMED;
    const later = retryAfterSeconds === undefined ? '' : `. Try again after ${retryAfterSeconds} seconds`;
    return new A2AToolError(code, `${wordsFor(cause, code)}${later}`, { cause, retryAfterSeconds });
  }
}

function wordsFor(cause: A2AError | A2AClientError, code: string): string {
  if (cause instanceof A2AError) return `The agent refused the call (${code})`;
  if (cause instanceof A2AHttpError) return `The agent answered with HTTP status ${cause.status}`;
  return WORDS.get(code) ?? `The agent could not be called (${code})`;
}
