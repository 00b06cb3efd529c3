import { describe, expect, it } from '@jest/globals';
import { A2AError, InternalError } from '../errors/a2a-error.js';
import { UnauthenticatedError } from '../errors/access-errors.js';
import { ERROR_CATALOG } from '../errors/error-catalog.js';
import { fromJsonRpcError } from '../errors/error-input.js';
import { TaskState } from '../types/enums.js';
import type { Part } from '../types/part.js';
import { olderFailure, olderSurfaceOf } from './older-errors.js';
import { isOlderMethod, olderSendParams, readOlderSend } from './older-exchange.js';
import { fromOlderPart, toOlderParts } from './older-parts.js';
import { fromOlderState, toOlderState } from './older-states.js';
import { fromOlderTask, toOlderAnswer, toOlderTask } from './older-task.js';

describe('a state of the older exchange', () => {
  it.each(Object.values(TaskState))('is written for %s, and read again however it is spelled', (state) => {
    const older = toOlderState(state);
    expect(older).toMatch(/^[a-z]+(_[a-z]+)?$/);
    for (const text of [older, older.toUpperCase(), older.replace('_', '-'), state]) {
      expect([text, fromOlderState(text)]).toEqual([text, state]);
    }
  });

  it.each(['', 'done', 'constructor', 'TASK_STATE_', 'TASK_STATE_TASK_STATE_WORKING', 'working '])(
    'is not %p',
    (text) => expect(fromOlderState(text)).toBeUndefined(),
  );
});

describe('parts of the older exchange', () => {
  const parts: Part[] = [
    { text: 'a' },
    { text: 'b', mediaType: 'text/markdown' },
    { data: null },
    { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
    { url: 'https://a.example/a' },
    { text: 'c' },
  ];
  const older = [
    { type: 'text', text: 'ab' },
    { type: 'data', data: null },
    { type: 'file', file: { name: 'a.txt', mimeType: 'text/plain', bytes: 'aGk=' } },
    { type: 'file', file: { uri: 'https://a.example/a' } },
    { type: 'text', text: 'c' },
  ];

  it('are written with texts that follow one another as one', () => {
    expect(toOlderParts(parts)).toEqual(older);
    expect(toOlderParts([])).toEqual([]);
  });

  it('are read', () => {
    expect(older.map(fromOlderPart)).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'data', data: null },
      { raw: 'aGk=', filename: 'a.txt', mediaType: 'text/plain' },
      { url: 'https://a.example/a' },
      { type: 'text', text: 'c' },
    ]);
    expect([null, 'x', { file: 'x' }].map(fromOlderPart)).toEqual([null, 'x', { file: 'x' }]);
  });
});

describe('a task of the older exchange', () => {
  const said = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: 'no' }, { data: 1 }, { text: ' way' }] };

  it.each([
    [TaskState.FAILED, { state: 'failed', message: 'error: no way' }],
    [TaskState.REJECTED, { state: 'rejected', message: 'no way' }],
  ])('says in a text why it is %s', (state, status) => {
    expect(toOlderTask({ id: 't', contextId: 'c', status: { state, message: said } })).toEqual({
      id: 't',
      status,
      artifacts: [],
    });
  });

  it('stands for a direct message as well', () => {
    expect(toOlderAnswer({ message: said })).toMatchObject({ id: 'm', status: { state: 'completed' } });
    expect(toOlderAnswer({ message: { ...said, taskId: 't' } }).id).toBe('t');
  });

  it('is read in the form of today', () => {
    const older = { id: 't', status: { state: 'Input-Required', message: 'what?' }, artifacts: [null, { parts: [] }] };
    expect(fromOlderTask(older)).toEqual({
      id: 't',
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        message: { messageId: 't-status', role: 'ROLE_AGENT', parts: [{ text: 'what?' }] },
      },
      artifacts: [{ artifactId: 'artifact-1', parts: [] }],
    });
    expect(fromOlderTask({ id: 't', status: { state: 'odd' } })).toMatchObject({ status: { state: 'odd' } });
    expect(fromOlderTask('none')).toBe('none');
  });
});

describe('a text of the older exchange', () => {
  it('is read as it was written', () => {
    const { id, message } = readOlderSend(olderSendParams('task-1', 'hi'), 'm');
    expect([id, message]).toEqual(['task-1', { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] }]);
    expect(readOlderSend({ id: 7, message: { parts: [{ text: 'a' }] } }, 'm').id).toBe('');
  });

  it.each([
    ['tasks/send', true],
    ['message/send', true],
    ['SendMessage', false],
    ['constructor', false],
  ])('is what %s carries: %p', (method, expected) => expect(isOlderMethod(method)).toBe(expected));
});

describe('an error of the older exchange', () => {
  it.each(ERROR_CATALOG.map(({ reason, revive }) => ({ reason, error: revive({ message: 'text' }) })))(
    'is a word and an HTTP status for $reason',
    ({ error }) => {
      const { status, code } = olderSurfaceOf(error);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(JSON.parse(olderFailure(1, error))).toEqual({ jsonrpc: '2.0', id: 1, error: { code, message: 'text' } });
    },
  );

  it.each<[string, unknown, number, string]>([
    ['a stranger', new UnauthenticatedError(), 401, 'AUTHENTICATION_FAILED'],
    ['what is ours alone', new InternalError('1'), 500, 'INTERNAL_ERROR'],
    ['an error of a user’s own', new A2AError('MY_OWN', 'mine'), 500, 'INTERNAL_ERROR'],
    ['what is no error', 'secret', 500, 'INTERNAL_ERROR'],
  ])('is masked or named for %s', (_what, error, status, code) => {
    expect(olderSurfaceOf(error)).toEqual({ status, code });
    expect(olderFailure(null, error)).not.toContain('secret');
  });

  it('is read by the client', () => {
    const { error }: { error: unknown } = JSON.parse(olderFailure(null, new UnauthenticatedError()));
    expect(fromJsonRpcError(error, 401)).toBeInstanceOf(UnauthenticatedError);
  });
});
