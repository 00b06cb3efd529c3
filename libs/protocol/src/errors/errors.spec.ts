import { describe, expect, it, jest } from '@jest/globals';
import { A2AError, InternalError, UnavailableError } from './a2a-error.js';
import { ResourceExhaustedError, UnauthenticatedError } from './access-errors.js';
import { ERROR_CATALOG, errorRowOf, GRPC_CODES, type SpecRevision } from './error-catalog.js';
import { fromJsonRpcError, fromStatusBody } from './error-input.js';
import { grpcStatus, jsonRpcHttpStatus, toJsonRpcError, toStatusBody } from './error-output.js';
import {
  ExtensionSupportRequiredError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
  VersionNotSupportedError,
} from './protocol-errors.js';
import {
  InvalidParamsError,
  InvalidRequestError,
  MethodNotFoundError,
  PayloadTooLargeError,
} from './request-errors.js';

const REVISIONS: SpecRevision[] = ['1.0.0', '1.0.1'];
const violations = [{ field: 'message.parts', description: 'must not be empty' }];
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('the catalog', () => {
  it('is this table', () => {
    const table = ERROR_CATALOG.map(({ reason, jsonRpcCode, surface }) =>
      [
        reason,
        jsonRpcCode,
        ...REVISIONS.flatMap((revision) => [surface[revision].http, surface[revision].status]),
      ].join(' '),
    );
    expect(table).toEqual([
      'TASK_NOT_FOUND -32001 404 NOT_FOUND 404 NOT_FOUND',
      'TASK_NOT_CANCELABLE -32002 409 FAILED_PRECONDITION 400 FAILED_PRECONDITION',
      'PUSH_NOTIFICATION_NOT_SUPPORTED -32003 400 UNIMPLEMENTED 400 FAILED_PRECONDITION',
      'UNSUPPORTED_OPERATION -32004 400 UNIMPLEMENTED 400 FAILED_PRECONDITION',
      'CONTENT_TYPE_NOT_SUPPORTED -32005 415 INVALID_ARGUMENT 400 INVALID_ARGUMENT',
      'INVALID_AGENT_RESPONSE -32006 502 INTERNAL 500 INTERNAL',
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED -32007 400 FAILED_PRECONDITION 400 FAILED_PRECONDITION',
      'EXTENSION_SUPPORT_REQUIRED -32008 400 FAILED_PRECONDITION 400 FAILED_PRECONDITION',
      'VERSION_NOT_SUPPORTED -32009 400 UNIMPLEMENTED 400 FAILED_PRECONDITION',
      'JSON_PARSE -32700 400 INVALID_ARGUMENT 400 INVALID_ARGUMENT',
      'INVALID_REQUEST -32600 400 INVALID_ARGUMENT 400 INVALID_ARGUMENT',
      'METHOD_NOT_FOUND -32601 404 NOT_FOUND 404 NOT_FOUND',
      'INVALID_PARAMS -32602 400 INVALID_ARGUMENT 400 INVALID_ARGUMENT',
      'INTERNAL_ERROR -32603 500 INTERNAL 500 INTERNAL',
      'UNAUTHENTICATED -32090 401 UNAUTHENTICATED 401 UNAUTHENTICATED',
      'PERMISSION_DENIED -32091 403 PERMISSION_DENIED 403 PERMISSION_DENIED',
      'RESOURCE_EXHAUSTED -32092 429 RESOURCE_EXHAUSTED 429 RESOURCE_EXHAUSTED',
      'UNAVAILABLE -32093 503 UNAVAILABLE 503 UNAVAILABLE',
      'PAYLOAD_TOO_LARGE -32600 413 INVALID_ARGUMENT 413 INVALID_ARGUMENT',
    ]);
  });

  describe.each(ERROR_CATALOG)('$reason', (row) => {
    const original = row.revive({ message: 'what happened', metadata: { a: 'b' }, violations, retryAfterSeconds: 3 });

    it('survives JSON-RPC', () => {
      const copy = fromJsonRpcError(wire(toJsonRpcError(original)), jsonRpcHttpStatus(original));
      expect(copy).toBeInstanceOf(row.type);
      expect(copy).toMatchObject({ code: row.reason, message: 'what happened', violations, retryAfterSeconds: 3 });
      expect(copy.metadata).toEqual(original.metadata);
    });

    it.each(REVISIONS)('survives REST of %s', (revision) => {
      const { status, body } = toStatusBody(original, revision);
      expect(body.error).toMatchObject({ code: status, status: row.surface[revision].status });
      const copy = fromStatusBody(status, wire(body));
      expect(copy).toBeInstanceOf(row.type);
      expect(copy).toMatchObject({ code: row.reason, message: 'what happened', violations, retryAfterSeconds: 3 });
      expect(grpcStatus(original, revision)).toBe(GRPC_CODES[row.surface[revision].status]);
    });

    it('is known by its code alone', () => {
      const bare = { code: row.jsonRpcCode, message: 'x' };
      expect(fromJsonRpcError(bare, jsonRpcHttpStatus(original)).code).toBe(row.reason);
    });

    it('is an instance of its class and of no other', () => {
      expect(original.name).toBe(original.constructor.name);
      expect(original).toBeInstanceOf(A2AError);
      expect(ERROR_CATALOG.filter(({ type }) => original instanceof type)).toEqual([row]);
    });
  });

  it('answers HTTP 200 to most JSON-RPC errors', () => {
    const statuses = ERROR_CATALOG.map((row) => jsonRpcHttpStatus(row.revive({})));
    expect(statuses.filter((status) => status !== 200)).toEqual([401, 403, 429, 503, 413]);
  });
});

describe('instanceof', () => {
  it('holds across copies of the package', async () => {
    jest.resetModules();
    const copy = await import('./protocol-errors.js');
    expect(copy.TaskNotFoundError).not.toBe(TaskNotFoundError);
    const foreign: unknown = new copy.TaskNotFoundError('t');
    expect(foreign instanceof TaskNotFoundError).toBe(true);
    expect(foreign instanceof A2AError).toBe(true);
    expect(foreign instanceof UnsupportedOperationError).toBe(false);
    expect(A2AError.from(foreign)).toBe(foreign);
    expect(toJsonRpcError(foreign).code).toBe(-32001);
  });

  it('narrows', () => {
    const error: unknown = new UnauthenticatedError('Bearer realm="a"');
    expect(error instanceof UnauthenticatedError ? error.challenge : '').toBe('Bearer realm="a"');
  });

  it('works as usual for classes made by users', () => {
    class QuotaError extends ResourceExhaustedError {}
    class OwnError extends A2AError {}
    expect(new QuotaError()).toBeInstanceOf(QuotaError);
    expect(new QuotaError()).toBeInstanceOf(ResourceExhaustedError);
    expect(new ResourceExhaustedError()).not.toBeInstanceOf(QuotaError);
    expect(new OwnError('OWN', 'x')).not.toBeInstanceOf(InternalError);
  });

  it.each([undefined, null, 'x', {}, { code: 'TASK_NOT_FOUND' }, new Error('x')])('is false for %p', (value) => {
    expect((value as unknown) instanceof A2AError).toBe(false);
    expect((value as unknown) instanceof TaskNotFoundError).toBe(false);
  });
});

describe('A2AError.from', () => {
  const refuse = (): never => {
    throw new Error('nobody may look');
  };
  it.each<[string, object]>([
    ['an object without a prototype', Object.create(null)],
    ['an object whose name cannot be read', Object.defineProperty({}, 'name', { get: refuse })],
    ['a proxy that refuses everything', new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
    ['a proxy that says yes to everything', new Proxy({}, { get: () => true, has: () => true })],
  ])('masks %s', (_name, thrown) => {
    const error = A2AError.from(thrown, () => 'id-1');
    expect([error.code, error.metadata]).toEqual(['INTERNAL_ERROR', { correlationId: 'id-1' }]);
    expect(Object.is(error.cause, thrown)).toBe(true);
  });

  it('masks what it does not know', () => {
    const cause = new Error('password is hunter2');
    const error = A2AError.from(cause, () => 'id-1');
    expect(error).toBeInstanceOf(InternalError);
    expect(error.cause).toBe(cause);
    expect(JSON.stringify([toJsonRpcError(error), toStatusBody(error)])).not.toContain('hunter2');
    expect(error).toMatchObject({ message: 'Internal error', metadata: { correlationId: 'id-1' } });
    expect(A2AError.from('x').metadata['correlationId']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('tells time-outs and aborts', () => {
    expect(A2AError.from(new DOMException('x', 'AbortError'))).toBeInstanceOf(UnavailableError);
    expect(A2AError.from(new DOMException('x', 'TimeoutError')).message).toBe('The operation timed out');
  });

  it('passes ours', () => {
    const error = new TaskNotFoundError('t');
    expect(A2AError.from(error)).toBe(error);
  });
});

describe('messages and metadata', () => {
  it('quote callers in short and in print', () => {
    const evil = `a\r\nSet-Cookie: x\u0000\u001b[31m\u2028\ud83d${'x'.repeat(1_000_000)}`;
    for (const error of [
      new TaskNotFoundError(evil),
      new TaskNotCancelableError(evil, evil),
      new MethodNotFoundError(evil, 'Use GetTask'),
      new VersionNotSupportedError(evil, ['1.0']),
      new ExtensionSupportRequiredError([evil]),
      new InvalidRequestError(evil),
      new UnauthenticatedError(evil),
    ]) {
      const text = [error.message, ...Object.values(error.metadata), 'challenge' in error ? error.challenge : ''].join(
        '',
      );
      expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u2028]/u);
      expect(text.length).toBeLessThan(2500);
    }
  });

  it('say what helps', () => {
    expect(new VersionNotSupportedError('9.9', ['1.0', '0.3']).message).toContain('1.0, 0.3');
    expect(new MethodNotFoundError('message/send', 'Use SendMessage').message).toBe(
      'Method not found: message/send. Use SendMessage',
    );
    expect(new InvalidParamsError(violations).message).toBe('Invalid parameters: message.parts must not be empty');
    expect(new InvalidParamsError('params must be an object').violations).toEqual([]);
    expect(new PayloadTooLargeError(10).metadata).toEqual({ maxBytes: '10' });
    expect(new UnavailableError('full', 5)).toMatchObject({
      retryAfterSeconds: 5,
      metadata: { retryAfterSeconds: '5' },
    });
  });

  it('carry field violations as BadRequest', () => {
    expect(toJsonRpcError(new InvalidParamsError(violations)).data[1]).toEqual({
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: violations,
    });
  });
});

describe('errors of peers', () => {
  it.each<[unknown, string]>([
    [{ code: -32001, message: 'x', data: { taskId: 't' } }, 'TASK_NOT_FOUND'],
    [{ code: -32602, message: 'x', data: 'why' }, 'INVALID_PARAMS'],
    [
      {
        code: -32000,
        message: 'x',
        data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'INTERNAL', domain: 'a2a-protocol.org' }],
      },
      'INTERNAL_ERROR',
    ],
    [
      {
        code: -32001,
        data: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'UNAVAILABLE', domain: 'proxy.example' }],
      },
      'TASK_NOT_FOUND',
    ],
    [
      {
        code: -32050,
        data: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'OUT_OF_FLOUR', domain: 'a2a-protocol.org' },
        ],
      },
      'OUT_OF_FLOUR',
    ],
    [{ code: -32050, message: 'x' }, 'UNKNOWN'],
    [{ code: 'INVALID_REQUEST', message: 'x' }, 'INVALID_REQUEST'],
    [{ code: 'AUTHENTICATION_FAILED', message: 'x' }, 'UNAUTHENTICATED'],
    [{ code: 'SOMETHING_ELSE', message: 'x' }, 'UNKNOWN'],
    [{}, 'UNKNOWN'],
    [null, 'INTERNAL_ERROR'],
    ['boom', 'INTERNAL_ERROR'],
    [[], 'INTERNAL_ERROR'],
  ])('JSON-RPC %j is %s', (error, code) => {
    expect(fromJsonRpcError(wire(error)).code).toBe(code);
  });

  it('JSON-RPC: an unknown code falls back to the HTTP status', () => {
    expect(fromJsonRpcError({ code: -32000, message: 'x' }, 401)).toBeInstanceOf(UnauthenticatedError);
  });

  it.each<[number, unknown, string, string]>([
    [404, { error: { code: 404, status: 'NOT_FOUND', message: 'gone' } }, 'TASK_NOT_FOUND', 'gone'],
    [400, { error: { code: 400, status: 'FAILED_PRECONDITION', message: 'no' } }, 'UNSUPPORTED_OPERATION', 'no'],
    [
      404,
      { type: 'https://a2a-protocol.org/errors/task-not-found', title: 'T', detail: 'gone' },
      'TASK_NOT_FOUND',
      'gone',
    ],
    [400, { type: 'about:blank', title: 'Bad', status: 400 }, 'INVALID_PARAMS', 'Bad'],
    [400, { code: -32002, message: 'late' }, 'TASK_NOT_CANCELABLE', 'late'],
    [500, { error: { code: -32005, message: 'type' } }, 'CONTENT_TYPE_NOT_SUPPORTED', 'type'],
    [404, '<html>Cannot GET</html>', 'METHOD_NOT_FOUND', '<html>Cannot GET</html>'],
    [401, '', 'UNAUTHENTICATED', 'Authentication is required'],
    [403, undefined, 'PERMISSION_DENIED', 'Permission denied'],
    [413, { error: { code: 413, status: 'INVALID_ARGUMENT', message: 'big' } }, 'PAYLOAD_TOO_LARGE', 'big'],
    [418, 'tea', 'INVALID_REQUEST', 'tea'],
    [429, { error: 'slow down' }, 'RESOURCE_EXHAUSTED', 'slow down'],
    [500, null, 'INTERNAL_ERROR', 'Internal error'],
    [502, 'Bad Gateway', 'UNAVAILABLE', 'Bad Gateway'],
    [400, [{ error: { status: 'UNAUTHENTICATED', message: 'who' } }], 'UNAUTHENTICATED', 'who'],
    [500, { error: { code: 'TASK_NOT_FOUND', message: 'gone' } }, 'TASK_NOT_FOUND', 'gone'],
  ])('REST %i %j is %s', (status, body, code, message) => {
    const error = fromStatusBody(status, body);
    expect(error).toMatchObject({ code, message });
    expect(error).toBeInstanceOf(errorRowOf(code)?.type);
  });

  it('keep what is known besides', () => {
    const known = { retryAfterSeconds: 7, cause: 'headers' };
    const shapes = [
      fromJsonRpcError({ code: -32001 }, 200, known),
      fromJsonRpcError('boom', 500, known),
      fromStatusBody(503, 'later', known),
      fromStatusBody(503, { error: { status: 'UNAVAILABLE' } }, known),
    ];
    for (const error of shapes) expect(error).toMatchObject(known);
    const told = { code: -32093, data: { reason: 'UNAVAILABLE', metadata: { retryAfterSeconds: '3' } } };
    expect(fromJsonRpcError(told, 503, known).retryAfterSeconds).toBe(3);
  });

  it('do not flood', () => {
    const error = fromStatusBody(400, {
      error: {
        message: 'm'.repeat(1_000_000),
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: Array.from({ length: 10_000 }, () => ({ field: 'f', description: 'd'.repeat(10_000) })),
          },
        ],
      },
    });
    expect(error.violations).toHaveLength(32);
    expect(JSON.stringify(toStatusBody(error)).length).toBeLessThan(50_000);
  });
});
