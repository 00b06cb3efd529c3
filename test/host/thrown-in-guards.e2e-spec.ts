import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { JSON_RPC_PATH, message, rest } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

const refuse = (): never => {
  throw new Error('nobody may look');
};

/** What a guard throws, by the name that the caller sends. */
const THROWN: ReadonlyMap<string, () => unknown> = new Map<string, () => unknown>([
  ['nothing', () => undefined],
  ['no-prototype', () => Object.create(null)],
  ['no-text', () => ({ toString: refuse })],
  ['refusing-proxy', () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
  ['agreeing-proxy', () => new Proxy({}, { get: () => true, has: () => true })],
  ['no-stack', () => Object.defineProperty(new Error('secret'), 'stack', { get: refuse })],
]);

@Injectable()
class ThrowingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<{ headers: Record<string, string | undefined> }>();
    throw THROWN.get(headers['x-throw'] ?? '')?.();
  }
}

describe('what cannot be written down, thrown in a guard', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => probeModule({ guards: [ThrowingGuard] }));
  });
  afterAll(() => pair.close());

  describe.each([...THROWN.keys()])('%s', (name) => {
    it('is a masked error over HTTP+JSON', async () => {
      const call = rest('POST', '/message:send', message('hi'));
      const answer = await pair.call({ ...call, headers: { ...call.headers, 'x-throw': name } });
      expect([answer.status, at(answer.body, 'error.details.0.reason')]).toEqual([500, 'INTERNAL_ERROR']);
      expect(answer.text).not.toContain('secret');
    });

    it('is a masked error over JSON-RPC', async () => {
      const headers = { 'content-type': 'application/json', 'x-throw': name };
      const answer = await pair.call({ method: 'POST', path: JSON_RPC_PATH, headers, body: '{}' });
      expect([answer.status, at(answer.body, 'error.code')]).toEqual([200, -32603]);
      expect(answer.text).not.toContain('secret');
    });
  });
});
