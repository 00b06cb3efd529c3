import { describe, expect, it } from '@jest/globals';
import { A2AError, InvalidParamsError, ResourceExhaustedError, TaskState } from 'nestjs-a2a/protocol';
import { A2AClientError, A2AHttpError } from '../client-error.js';
import { A2ATaskFailedError } from '../task/task-text.js';
import { A2AToolError } from './a2a-tool.error.js';

const SECRET = 'sk-12345';
const failed = new A2ATaskFailedError({
  id: 't',
  contextId: 'c',
  status: {
    state: TaskState.FAILED,
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'No leeks left' }] },
  },
});

describe('A2AToolError', () => {
  it.each<[string, unknown, string, string]>([
    ['a failed task', failed, 'TASK_FAILED', 'The task ended as failed: No leeks left'],
    [
      'an error of the agent',
      new InvalidParamsError([], { message: SECRET }),
      'INVALID_PARAMS',
      'The agent refused the call (INVALID_PARAMS)',
    ],
    [
      'an error with a wait',
      new ResourceExhaustedError(SECRET, 30),
      'RESOURCE_EXHAUSTED',
      'The agent refused the call (RESOURCE_EXHAUSTED). Try again after 30 seconds',
    ],
    [
      'a reason that is no code',
      new A2AError(`key ${SECRET}`, SECRET),
      'TOOL_FAILED',
      'The agent refused the call (TOOL_FAILED)',
    ],
    ['a status', new A2AHttpError(502, {}, SECRET), 'HTTP_ERROR', 'The agent answered with HTTP status 502'],
    [
      'an error of the client',
      new A2AClientError('TIMEOUT', `https://${SECRET}.internal`),
      'TIMEOUT',
      'The agent did not answer in time',
    ],
    [
      'any other of the client',
      new A2AClientError('CONNECT_FAILED', SECRET),
      'CONNECT_FAILED',
      'The agent could not be called (CONNECT_FAILED)',
    ],
    ['something else', new TypeError(SECRET), 'TOOL_FAILED', 'The agent could not be called'],
    ['what is no error', SECRET, 'TOOL_FAILED', 'The agent could not be called'],
  ])('of %s says what a model may read', (_what, cause, code, message) => {
    const error = A2AToolError.of(cause);
    expect(error).toBeInstanceOf(A2AClientError);
    expect({ code: error.code, message: error.message }).toEqual({ code, message });
    expect(error.cause).toBe(cause);
    expect(A2AToolError.of(error)).toBe(error);
  });
});
