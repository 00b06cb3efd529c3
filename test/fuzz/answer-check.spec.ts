import { describe, expect, it } from '@jest/globals';
import { JSON_RPC_PATH, REST_PATH } from '../support/a2a-calls.js';
import { faultIn } from './answer-check.js';
import type { FuzzRequest } from './request-factory.js';
import type { FuzzAnswer } from './wire.js';

const info = (reason: string): object => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'd' });
const rpcError = (code: number, reason: string): object => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message: 'm', data: [info(reason)] },
});
const restError = (code: number, status: string, reason: string): object => ({
  error: { code, status, message: 'm', details: [info(reason)] },
});
const task = { id: 't', status: { state: 'TASK_STATE_WORKING' } };

const answer = (status: number, body: unknown, type = 'application/json'): FuzzAnswer => ({
  status,
  headers: { 'content-type': type },
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const to = (path: string): FuzzRequest => ({ method: 'POST', path, headers: {}, body: undefined });
const viaRpc = to(JSON_RPC_PATH);
const deletion: FuzzRequest = { ...viaRpc, body: Buffer.from('{"method":"DeleteTaskPushNotificationConfig"}') };
const viaRest = to(`${REST_PATH}/tasks/t:cancel`);

describe('The judge of fuzzed answers', () => {
  it.each<[string, FuzzRequest, FuzzAnswer]>([
    ['a result', viaRpc, answer(200, { jsonrpc: '2.0', id: 1, result: task })],
    ['a REST result', viaRest, answer(200, task)],
    ['a config', viaRest, answer(200, { id: 'c', taskId: 't', url: 'https://a.example' })],
    ['nothing left of a config', deletion, answer(200, { jsonrpc: '2.0', id: 1, result: null })],
    ['an error', viaRpc, answer(200, rpcError(-32001, 'TASK_NOT_FOUND'))],
    ['a REST error', viaRest, answer(404, restError(404, 'NOT_FOUND', 'TASK_NOT_FOUND'))],
    [
      'a stream',
      viaRpc,
      answer(
        200,
        `id: 1\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task } })}\n\n`,
        'text/event-stream',
      ),
    ],
    ['a path of nobody', to('/nothing'), answer(404, { statusCode: 404, message: 'Cannot POST /nothing' })],
  ])('lets %s pass', (_what, request, given) => {
    expect(faultIn(request, given)).toBeUndefined();
  });

  it.each<[string, FuzzRequest, FuzzAnswer]>([
    ['500', viaRest, answer(500, restError(500, 'INTERNAL', 'INTERNAL_ERROR'))],
    ['503 without a time', viaRest, answer(503, restError(503, 'UNAVAILABLE', 'UNAVAILABLE'))],
    ['a stack', viaRpc, answer(200, rpcError(-32603, 'at run (/app/src/a.ts:1:2)'))],
    ['a path of the server', viaRpc, answer(200, 'open /usr/lib/x')],
    ['no JSON', viaRpc, answer(200, 'hello')],
    ['a code of another row', viaRpc, answer(200, rpcError(-32002, 'TASK_NOT_FOUND'))],
    ['a status of another row', viaRest, answer(400, restError(400, 'NOT_FOUND', 'TASK_NOT_FOUND'))],
    ['a reason that is in no table', viaRpc, answer(200, rpcError(-32001, 'OOPS'))],
    ['a wrong HTTP status of JSON-RPC', viaRpc, answer(404, rpcError(-32001, 'TASK_NOT_FOUND'))],
    ['both result and error', viaRpc, answer(200, { ...rpcError(-32001, 'TASK_NOT_FOUND'), result: task })],
    ['a secret of a config', viaRest, answer(200, { id: 'c', taskId: 't', url: 'https://a.example', token: 's' })],
    ['nothing where there should be something', viaRpc, answer(200, { jsonrpc: '2.0', id: 1, result: null })],
    ['a result that is none', viaRest, answer(200, { id: 'only' })],
    ['the host’s own error on a path of ours', viaRest, answer(404, { statusCode: 404, message: 'no' })],
    [
      'an event that is none',
      viaRpc,
      answer(200, 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n', 'text/event-stream'),
    ],
  ])('finds %s', (_what, request, given) => {
    expect(faultIn(request, given)).toEqual(expect.any(String));
  });
});
