import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { V0_3_METHODS } from 'nestjs-a2a/protocol';
import { JSON_RPC_PATH, message, rest, REST_PATH, rpc } from '../support/a2a-calls.js';
import { at, type Call } from '../support/http-call.js';
import type { Pair } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';

describe('A2A-Version', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair();
  });
  afterAll(() => pair.close());

  const inHeader = (version: string): readonly Call[] => [
    rpc('SendMessage', message('whoami'), { 'a2a-version': version }),
    rest('POST', '/message:send', message('whoami'), { 'a2a-version': version }),
  ];
  const inQuery = (version: string): readonly Call[] => [
    rpc('SendMessage', message('whoami'), {}, `${JSON_RPC_PATH}?A2A-Version=${encodeURIComponent(version)}`),
    { path: `${REST_PATH}/message:send?A2A-Version=${encodeURIComponent(version)}`, body: message('whoami') },
  ];
  const reasonOf = (body: unknown): unknown => at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');
  const versionOf = (body: unknown): unknown =>
    at(at(body, 'result.task') ?? at(body, 'task'), 'artifacts.0.parts.0.data.version');

  it.each(['1.0', '1.0.0', '1.0.3', ' 1.0 '])('%s in the header or the query is 1.0', async (version) => {
    for (const call of [...inHeader(version), ...inQuery(version)]) {
      expect(versionOf((await pair.call(call)).body)).toBe('1.0');
    }
  });

  it('absent or empty is 1.0', async () => {
    const sent = message('whoami');
    const empty = { 'A2A-Version': ' ' };
    for (const call of [
      rpc('SendMessage', sent),
      rest('POST', '/message:send', sent),
      rpc('SendMessage', sent, empty),
      rest('POST', '/message:send', sent, empty),
      ...inQuery(''),
    ]) {
      expect(versionOf((await pair.call(call)).body)).toBe('1.0');
    }
  });

  it.each(['0.3', '0.3.0', '1.1', '2.0', '1', '1.0.x', 'v1.0', 'latest', '1.0, 0.3'])(
    '%s is refused',
    async (version) => {
      for (const call of [...inHeader(version), ...inQuery(version)]) {
        const { status, body } = await pair.call(call);
        expect(reasonOf(body)).toBe('VERSION_NOT_SUPPORTED');
        expect(status).toBe(call.path.startsWith(JSON_RPC_PATH) ? 200 : 400);
        const info = at(body, 'error.data.0') ?? at(body, 'error.details.0');
        expect(at(info, 'metadata')).toEqual({ requestedVersion: version, supportedVersions: '1.0' });
      }
    },
  );

  it('in the header wins over the query', async () => {
    const path = '?A2A-Version=9.9';
    const right = await pair.call(rpc('ListTasks', {}, { 'a2a-version': '1.0' }, JSON_RPC_PATH + path));
    expect(at(right.body, 'result.pageSize')).toBe(50);
    const wrong = await pair.call(rpc('ListTasks', {}, { 'a2a-version': '9.9' }, `${JSON_RPC_PATH}?A2A-Version=1.0`));
    expect(at(wrong.body, 'error.code')).toBe(-32009);
  });

  it('is asked for on every operation', async () => {
    const headers = { 'a2a-version': '0.3' };
    for (const method of ['GetTask', 'ListTasks', 'CancelTask', 'SubscribeToTask', 'GetExtendedAgentCard']) {
      expect(at((await pair.call(rpc(method, { id: 'x' }, headers))).body, 'error.code')).toBe(-32009);
    }
    for (const [verb, path] of [
      ['GET', '/tasks'],
      ['GET', '/tasks/x'],
      ['POST', '/tasks/x:cancel'],
      ['GET', '/tasks/x:subscribe'],
      ['GET', '/extendedAgentCard'],
    ] as const) {
      expect(reasonOf((await pair.call(rest(verb, path, undefined, headers))).body)).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it.each([...V0_3_METHODS])('%s is told to be %s now', async (old, current) => {
    for (const version of ['', '0.3', '1.0']) {
      const { body, status } = await pair.call(rpc(old, {}, { 'a2a-version': version }));
      expect([status, at(body, 'error.code')]).toEqual([200, -32601]);
      expect(at(body, 'error.message')).toContain(current);
    }
  });

  it('does not matter to the card', async () => {
    const card = await pair.call({ path: '/.well-known/agent-card.json', headers: { 'a2a-version': '0.3' } });
    expect(card.status).toBe(200);
  });
});
