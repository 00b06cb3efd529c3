import { describe, expect, it } from '@jest/globals';
import { TaskNotFoundError } from '../errors/protocol-errors.js';
import { InvalidRequestError } from '../errors/request-errors.js';
import { jsonRpcFailure, jsonRpcIdOf, jsonRpcResult, parseJsonRpcRequest } from './envelope.js';
import { A2A_METHODS, isA2AMethod, V0_3_METHODS } from './methods.js';

describe('parseJsonRpcRequest', () => {
  it.each<[unknown]>([
    [[]],
    [[{ jsonrpc: '2.0', id: 1, method: 'GetTask' }]],
    [42],
    ['x'],
    [null],
    [undefined],
    [{}],
    [{ jsonrpc: '1.0', id: 1, method: 'GetTask' }],
    [{ jsonrpc: 2, id: 1, method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: {}, method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: [], method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: true, method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: 1.5, method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: JSON.parse('1e999'), method: 'GetTask' }],
    [{ jsonrpc: '2.0', id: 1, method: 7 }],
    [{ jsonrpc: '2.0', id: 1, method: '' }],
    [{ jsonrpc: '2.0', id: 1 }],
  ])('%j is refused', (value) => {
    expect(() => parseJsonRpcRequest(value)).toThrow(InvalidRequestError);
  });

  it.each([['7'], [7], [0], [''], [null]])('keeps the id %j', (id) => {
    const request = { jsonrpc: '2.0', id, method: 'GetTask', params: [] };
    expect(parseJsonRpcRequest(request)).toEqual({ id, method: 'GetTask', params: [] });
    expect(jsonRpcIdOf(request)).toBe(id);
  });

  it('takes an absent id as null', () => {
    expect(parseJsonRpcRequest({ jsonrpc: '2.0', method: 'X' })).toEqual({ id: null, method: 'X', params: undefined });
  });
});

describe('jsonRpcIdOf', () => {
  it.each<[unknown, unknown]>([
    [{ id: 'a' }, 'a'],
    [{ id: 1.5 }, null],
    [{ id: {} }, null],
    [{}, null],
    [[{ id: 1 }], null],
    [null, null],
    ['x', null],
  ])('of %j is %j', (value, id) => {
    expect(jsonRpcIdOf(value)).toBe(id);
  });
});

describe('answers', () => {
  it('are envelopes round ready text', () => {
    expect(jsonRpcResult('a"b', '{"x":1}')).toBe('{"jsonrpc":"2.0","id":"a\\"b","result":{"x":1}}');
    expect(JSON.parse(jsonRpcFailure(null, new TaskNotFoundError('t')))).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: {
        code: -32001,
        message: 'Task not found',
        data: [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'TASK_NOT_FOUND',
            domain: 'a2a-protocol.org',
            metadata: { taskId: 't' },
          },
        ],
      },
    });
  });
});

describe('methods', () => {
  it('are eleven, and nothing an object inherits', () => {
    expect(A2A_METHODS.size).toBe(11);
    expect(isA2AMethod('SendMessage')).toBe(true);
    for (const name of ['sendmessage', 'constructor', '__proto__', '', 'message/send'])
      expect(isA2AMethod(name)).toBe(false);
  });

  it('had ten names before, all of which live on', () => {
    expect(V0_3_METHODS.size).toBe(10);
    for (const name of V0_3_METHODS.values()) expect(isA2AMethod(name)).toBe(true);
  });
});
