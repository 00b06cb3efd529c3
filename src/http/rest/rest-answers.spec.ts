import { describe, expect, it } from '@jest/globals';
import { TaskNotFoundError, UnauthenticatedError, UnavailableError } from 'nestjs-a2a/protocol';
import { A2ARouteSettings } from '../host/a2a-route.js';
import { jsonRpcRoute } from '../json-rpc/json-rpc.route.js';
import { answerType, refusal, statusAnswer } from './rest-answers.js';

const A2A = 'application/a2a+json';
const JSON_TYPE = 'application/json';

describe('Media type of REST answers', () => {
  it.each([
    [undefined, A2A],
    ['*/*', A2A],
    [JSON_TYPE, JSON_TYPE],
    ['application/json;q=0.9', JSON_TYPE],
    ['APPLICATION/JSON', JSON_TYPE],
    [`${JSON_TYPE}, ${A2A}`, A2A],
    [`${JSON_TYPE}, */*`, A2A],
    [`${JSON_TYPE}, text/event-stream`, JSON_TYPE],
    ['text/html', A2A],
    ['', A2A],
  ])('Accept %s: %s', (accept, type) => {
    expect(answerType(accept, '1.0.1')).toBe(type);
    expect(answerType(accept, '1.0.0')).toBe(JSON_TYPE);
  });
});

describe('REST failures', () => {
  it('have the body of google.rpc.Status, with details as an array', () => {
    const { status, headers, body } = statusAnswer(new TaskNotFoundError('t'), A2A, '1.0.1');
    expect([status, headers]).toEqual([404, { 'content-type': A2A }]);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 404, status: 'NOT_FOUND', details: [{}] } });
  });

  it.each([
    [new UnavailableError('later', 1.2), { 'retry-after': '2' }],
    [new UnauthenticatedError(), { 'www-authenticate': 'Bearer' }],
  ])('%s says what to do', (error, headers) => {
    expect(statusAnswer(error, A2A, '1.0.1').headers).toMatchObject(headers);
  });

  it('paths and verbs that are no operation', () => {
    expect(refusal({ kind: 'not-found' }, undefined, '1.0.1').status).toBe(404);
    const refused = refusal({ kind: 'method-not-allowed', allow: ['HEAD', 'GET'] }, JSON_TYPE, '1.0.1');
    expect(refused).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET', 'content-type': JSON_TYPE } });
  });
});

describe('JSON-RPC route', () => {
  const route = jsonRpcRoute(new A2ARouteSettings());

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'])('%s: 405 with Allow, id null', (method) => {
    const match = route.resolve({ method, path: '/' });
    if (match.kind === 'match') throw new Error('It was let in');
    const { status, headers, body } = route.refuse(match);
    expect([status, headers.allow]).toEqual([405, 'POST']);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });

  it('POST is let in', () => {
    expect(route.resolve({ method: 'POST', path: '/' }).kind).toBe('match');
  });
});
