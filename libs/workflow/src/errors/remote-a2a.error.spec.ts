import { describe, expect, it } from '@jest/globals';
import { A2AHttpError } from 'nestjs-a2a/client';
import { A2AError, InvalidParamsError, TaskNotFoundError, UnavailableError } from 'nestjs-a2a/protocol';
import {
  BusinessFailure,
  CancellationException,
  failureOf,
  RemoteA2AError,
  SecurityException,
  TimeoutException,
  WorkflowStateError,
} from 'nestjs-a2a/workflow';
import { readErrorEnvelope } from './error-envelope.js';

describe('readErrorEnvelope', () => {
  it('reads an envelope', () => {
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slow down', details: [{ reason: 'QUOTA' }] };
    expect(readErrorEnvelope({ error })).toEqual(error);
    expect(readErrorEnvelope({ error: { code: 400, message: 'no' } })).toEqual({
      code: 400,
      status: undefined,
      message: 'no',
      details: [],
    });
  });

  it.each<[string, unknown]>([
    ['problem+json', { type: 'about:blank', title: 'no', status: 400 }],
    ['an error further inside', { data: { error: { code: 400, message: 'no' } } }],
    ['a code of success', { error: { code: 200, message: 'no' } }],
    ['a code of JSON-RPC', { error: { code: -32600, message: 'no' } }],
    ['a code that is text', { error: { code: '400', message: 'no' } }],
    ['half a code', { error: { code: 400.5, message: 'no' } }],
    ['no message', { error: { code: 400 } }],
    ['a blank message', { error: { code: 400, message: ' ' } }],
    ['an error that is text', { error: 'no' }],
    ['no JSON', 'no'],
    ['nothing', undefined],
    ['a list', [{ error: { code: 400, message: 'no' } }]],
  ])('does not take for one: %s', (_case, body) => expect(readErrorEnvelope(body)).toBeUndefined());
});

describe('RemoteA2AError', () => {
  it.each([
    ['TASK_NOT_FOUND', 'a2a.task_not_found'],
    ['Rate-Limit Exceeded!', 'a2a.rate_limit_exceeded'],
    ['--A  b--', 'a2a.a_b'],
    ['!!', 'a2a.http.404'],
  ])('makes a code of the reason %s', (reason, code) => {
    const error = new RemoteA2AError({
      remoteCode: 404,
      message: 'no',
      details: [{}, { reason, domain: 'a2a' }, { reason: 'LATER' }],
    });
    expect(error).toMatchObject({ code, reason, domain: 'a2a', name: 'RemoteA2AError' });
  });

  it.each<[number | undefined, number]>([
    [503, 503],
    [200, 429],
    [302, 429],
    [undefined, 429],
  ])('observed HTTP status %p', (httpStatus, shown) => {
    const error = new RemoteA2AError({ remoteCode: 429, message: 'no', httpStatus });
    expect(error.httpStatus).toBe(shown);
    expect(error.code).toBe(`a2a.http.${shown}`);
  });

  it('shows no secrets', () => {
    const error = new RemoteA2AError({
      remoteCode: 400,
      status: 'INVALID_ARGUMENT',
      message: 'token=abc',
      details: [{ reason: 'X', password: 'abc', text: `Bearer abc ${'x'.repeat(600)}` }],
      headers: { 'Set-Cookie': 'abc', Via: 'gate' },
      retryAfter: 3,
    });
    expect(JSON.stringify([error.message, error.details, error.headers, error.toDetails()])).not.toContain('abc');
    expect(error.headers).toEqual({ 'set-cookie': '***', via: 'gate' });
    expect(error.toDetails()).toMatchObject({
      httpStatus: 400,
      code: 400,
      status: 'INVALID_ARGUMENT',
      reason: 'X',
      retryAfter: 3,
    });
    expect(error.toDetails()).not.toHaveProperty('domain');
  });
});

describe('RemoteA2AError.findIn', () => {
  const deep = (cause: unknown): Error => new Error('outer', { cause: new Error('inner', { cause }) });

  it('finds one, however deep', () => {
    const error = new RemoteA2AError({ remoteCode: 400, message: 'no' });
    expect(RemoteA2AError.findIn(error)).toBe(error);
    expect(RemoteA2AError.findIn(deep(error))).toBe(error);
  });

  it.each<[string, Error, object]>([
    [
      'invalid params',
      new InvalidParamsError('no'),
      { reason: 'INVALID_PARAMS', httpStatus: 400, code: 'a2a.invalid_params' },
    ],
    [
      'a task that is gone',
      new TaskNotFoundError('t', { cause: new A2AHttpError(200, { via: 'gate' }, 'x') }),
      { reason: 'TASK_NOT_FOUND', httpStatus: 404, headers: { via: 'gate' } },
    ],
    ['no service', new UnavailableError('later', 7), { httpStatus: 503, retryAfter: 7 }],
    ['a code of its own', new A2AError('BILLING', 'pay'), { reason: 'BILLING', httpStatus: 500 }],
    ['no code', new A2AError('UNKNOWN', 'no'), { reason: 'INTERNAL', httpStatus: 500, code: 'a2a.internal' }],
    [
      'an HTTP status',
      new A2AHttpError(502, {}, 'A2A request failed with HTTP 502'),
      { httpStatus: 502, code: 'a2a.http.502' },
    ],
  ])('makes one of what the client throws: %s', (_case, error, shape) => {
    expect(RemoteA2AError.findIn(deep(error))).toMatchObject(shape);
  });

  it('finds nothing where no agent spoke, and comes to an end', () => {
    const loop: Error & { cause?: unknown } = new Error('loop');
    loop.cause = loop;
    for (const error of [loop, new A2AHttpError(302, {}, 'x'), 'text', null, undefined]) {
      expect(RemoteA2AError.findIn(error)).toBeUndefined();
    }
  });
});

describe('failureOf', () => {
  const secret = 'password=abc';
  const withCause = (cause: unknown): Error => new Error(secret, { cause });
  class HostError extends Error {
    override readonly name = 'HostError';
  }

  it.each<[string, unknown, string, string]>([
    ['a business failure', withCause(new BusinessFailure('host.rule', 'no', { a: 1 })), 'host.rule', 'no'],
    ['an agent', withCause(new RemoteA2AError({ remoteCode: 503, message: 'busy' })), 'a2a.http.503', 'busy'],
    [
      'a business failure before an agent',
      new RemoteA2AError({ remoteCode: 503, message: 'busy', cause: new BusinessFailure('host.rule', 'no') }),
      'host.rule',
      'no',
    ],
    ['time', withCause(new TimeoutException('x')), 'workflow.timeout', 'TimeoutException'],
    ['the time of the platform', withCause(new DOMException('x', 'TimeoutError')), 'workflow.timeout', 'TimeoutError'],
    ['a cancellation', new CancellationException('x'), 'workflow.cancelled', 'CancellationException'],
    ['an abort', new DOMException('x', 'AbortError'), 'workflow.cancelled', 'AbortError'],
    ['security', new SecurityException(secret), 'workflow.execution_failed', 'SecurityException'],
    ['the engine', new WorkflowStateError(secret), 'workflow.execution_failed', 'WorkflowStateError'],
    ['the host', withCause(new HostError(secret)), 'workflow.execution_failed', 'HostError'],
    ['a text', secret, 'workflow.execution_failed', 'Error'],
    ['nothing', undefined, 'workflow.execution_failed', 'Error'],
    ['a name that is a text', Object.assign(new Error(secret), { name: secret }), 'workflow.execution_failed', 'Error'],
  ])('of %s', (_case, error, code, message) => {
    expect(failureOf(error)).toMatchObject({ code, message });
    expect(JSON.stringify(failureOf(error))).not.toContain('abc');
  });

  it('keeps details', () => {
    expect(failureOf(new BusinessFailure('host.rule', 'no', { a: 1 })).details).toEqual({ a: 1 });
    expect(failureOf(new RemoteA2AError({ remoteCode: 503, message: 'busy' })).details).toEqual({
      httpStatus: 503,
      code: 503,
    });
    expect(failureOf(new Error('x')).details).toEqual({});
  });

  it('comes to an end with a cause that leads back', () => {
    const one: Error & { cause?: unknown } = new Error('one');
    one.cause = new Error('two', { cause: one });
    expect(failureOf(one).code).toBe('workflow.execution_failed');
  });
});
