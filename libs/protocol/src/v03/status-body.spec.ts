import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOG } from '../errors/error-catalog.js';
import { TaskNotFoundError } from '../errors/protocol-errors.js';
import { fromV03StatusBody, toV03StatusBody } from './status-body.js';

describe('errors of 0.3 over HTTP', () => {
  it.each<readonly [number, unknown, string]>([
    [404, { code: -32001, message: 'Task not found' }, 'TASK_NOT_FOUND'],
    [500, { code: -32006, message: 'odd' }, 'INVALID_AGENT_RESPONSE'],
    [404, { error: 'TaskNotFoundError', message: 'Task not found' }, 'TASK_NOT_FOUND'],
    [409, { error: 'org.example.spec.TaskNotCancelableError', message: 'no' }, 'TASK_NOT_CANCELABLE'],
    [400, { error: 'AuthenticatedExtendedCardNotConfiguredError' }, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED'],
    [404, { error: { code: 404, status: 'NOT_FOUND', message: 'Task not found' } }, 'TASK_NOT_FOUND'],
    [404, { error: 'Not Found' }, 'METHOD_NOT_FOUND'],
    [405, '', 'METHOD_NOT_FOUND'],
    [503, undefined, 'UNAVAILABLE'],
    [400, { error: 'x'.repeat(1_000_000) }, 'INVALID_PARAMS'],
  ])('%s %j is read', (status, body, code) => {
    expect(fromV03StatusBody(status, body).code).toBe(code);
  });

  it.each(ERROR_CATALOG.map((row) => [row.reason, row] as const))('%s goes there and back', (reason, row) => {
    const { status, body } = toV03StatusBody(row.revive({}));
    expect(fromV03StatusBody(status, body).code).toBe(reason);
  });

  it('is written as a bare error', () => {
    expect(toV03StatusBody(new TaskNotFoundError('t'))).toMatchObject({
      status: 404,
      body: { code: -32001, message: 'Task not found' },
    });
  });
});
