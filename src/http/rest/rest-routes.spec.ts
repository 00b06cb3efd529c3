import { describe, expect, it } from '@jest/globals';
import { InvalidParamsError } from 'nestjs-a2a/protocol';
import type { RouteMatch } from '../host/a2a-route.js';
import { restParams } from './rest-params.js';
import { REST_PATHS, SLASH_ALIAS_PATHS, underTenant, type RestPath, type RestTarget } from './rest-routes.js';

const ALL: readonly RestPath[] = [...REST_PATHS, ...SLASH_ALIAS_PATHS];
const TENANTS = ALL.map(underTenant);

/** As both frameworks match: segment by segment, a parameter takes the rest of its segment. */
function resolve(paths: readonly RestPath[], method: string, path: string): RouteMatch<RestTarget> | undefined {
  const segments = path.split('/').slice(1);
  const found = paths.find(({ pattern }) => {
    const wanted = pattern.split('/');
    return (
      wanted.length === segments.length &&
      wanted.every((part, index) => {
        const colon = part.indexOf(':');
        return colon < 0 ? part === segments[index] : (segments[index] ?? '').startsWith(part.slice(0, colon));
      })
    );
  });
  return found?.resolve({ method, path });
}

describe('REST routes', () => {
  it.each([
    ['POST', '/message:send', { method: 'SendMessage' }],
    ['POST', '/message:stream', { method: 'SendStreamingMessage' }],
    ['POST', '/message/send', { method: 'SendMessage' }],
    ['POST', '/message/stream', { method: 'SendStreamingMessage' }],
    ['GET', '/tasks', { method: 'ListTasks' }],
    ['HEAD', '/tasks', { method: 'ListTasks' }],
    ['GET', '/tasks/t', { method: 'GetTask', taskId: 't' }],
    ['GET', '/tasks/a%3Acancel', { method: 'GetTask', taskId: 'a:cancel' }],
    ['GET', '/tasks/a:b', { method: 'GetTask', taskId: 'a:b' }],
    ['GET', '/tasks/a%2Fb', { method: 'GetTask', taskId: 'a/b' }],
    ['POST', '/tasks/t:cancel', { method: 'CancelTask', taskId: 't' }],
    ['POST', '/tasks/a:b:cancel', { method: 'CancelTask', taskId: 'a:b' }],
    ['POST', '/tasks/t/cancel', { method: 'CancelTask', taskId: 't' }],
    ['GET', '/tasks/t:subscribe', { method: 'SubscribeToTask', taskId: 't' }],
    ['POST', '/tasks/t:subscribe', { method: 'SubscribeToTask', taskId: 't' }],
    ['GET', '/tasks/t/subscribe', { method: 'SubscribeToTask', taskId: 't' }],
    ['GET', '/tasks/t/pushNotificationConfigs', { method: 'ListTaskPushNotificationConfigs', taskId: 't' }],
    ['POST', '/tasks/t/pushNotificationConfigs', { method: 'CreateTaskPushNotificationConfig', taskId: 't' }],
    ['GET', '/tasks/t/pushNotificationConfigs/c', { method: 'GetTaskPushNotificationConfig', configId: 'c' }],
    ['DELETE', '/tasks/t/pushNotificationConfigs/c', { method: 'DeleteTaskPushNotificationConfig', configId: 'c' }],
    ['GET', '/extendedAgentCard', { method: 'GetExtendedAgentCard' }],
  ])('%s %s', (method, path, target) => {
    expect(resolve(ALL, method, path)).toMatchObject({ kind: 'match', target });
    expect(resolve(TENANTS, method, `/a%20b${path}`)).toMatchObject({
      kind: 'match',
      target: { ...target, tenant: 'a b' },
    });
  });

  it.each([
    ['POST', '/message:nope'],
    ['POST', '/message:constructor'],
    ['POST', '/message/toString'],
    ['POST', '/tasks/t:nope'],
    ['GET', '/tasks/'],
    ['GET', '/tasks/%E0%A4%A'],
    ['GET', '/tasks/t/pushNotificationConfigs/'],
    ['POST', '/tasks/:cancel'],
    ['GET', '/tasks/t/hasOwnProperty'],
  ])('%s %s is no operation', (method, path) => {
    expect(resolve(ALL, method, path)).toEqual({ kind: 'not-found' });
  });

  it.each([
    ['GET', '/message:send', ['POST']],
    ['PUT', '/tasks', ['HEAD', 'GET']],
    ['DELETE', '/tasks/t', ['HEAD', 'GET']],
    ['GET', '/tasks/t:cancel', ['POST']],
    ['PUT', '/tasks/t:subscribe', ['GET', 'POST']],
    ['HEAD', '/tasks/t:subscribe', ['GET', 'POST']],
    ['HEAD', '/tasks/t/subscribe', ['GET', 'POST']],
    ['HEAD', '/message:stream', ['POST']],
    ['PATCH', '/tasks/t/pushNotificationConfigs/c', ['HEAD', 'GET', 'DELETE']],
  ])('%s %s: 405 that says what is allowed', (method, path, allow) => {
    expect(resolve(ALL, method, path)).toEqual({ kind: 'method-not-allowed', allow });
  });

  it('a tenant without a name is none', () => {
    for (const tenant of ['', '%E0%A4%A']) {
      expect(resolve(TENANTS, 'GET', `/${tenant}/tasks`)).toEqual({ kind: 'not-found' });
    }
  });
});

describe('REST parameters', () => {
  const target = (method: RestTarget['method']): RestTarget => ({
    method,
    tenant: undefined,
    taskId: 't',
    configId: 'c',
  });
  const query = new URLSearchParams(
    'tenant=true&historyLength=2&contextId=false&includeArtifacts=true&pageSize=&other=1',
  );
  const body = { message: {}, id: 'other', taskId: 'other', tenant: 'b' };

  it.each<[RestTarget['method'], object]>([
    ['SendMessage', { ...body }],
    ['SendStreamingMessage', { ...body }],
    ['GetExtendedAgentCard', { tenant: 'true' }],
    ['GetTask', { tenant: 'true', historyLength: '2', id: 't' }],
    // Only a parameter that is true or false by nature becomes a boolean: a context may be called so.
    ['ListTasks', { tenant: 'true', historyLength: '2', contextId: 'false', includeArtifacts: true }],
    ['CancelTask', { ...body, id: 't' }],
    ['SubscribeToTask', { ...body, id: 't' }],
    ['CreateTaskPushNotificationConfig', { message: {}, id: 'other', tenant: 'b', taskId: 't' }],
    ['ListTaskPushNotificationConfigs', { tenant: 'true', taskId: 't' }],
    ['GetTaskPushNotificationConfig', { tenant: 'true', taskId: 't', id: 'c' }],
    ['DeleteTaskPushNotificationConfig', { tenant: 'true', taskId: 't', id: 'c' }],
  ])('%s: what the path names wins', (method, params) => {
    expect(restParams(target(method), query, body)).toEqual(params);
  });

  it.each([null, [], 'x', 7, undefined])('a body that is no object (%j): -32602', (wrong) => {
    expect(() => restParams(target('SendMessage'), query, wrong)).toThrow(InvalidParamsError);
  });
});
