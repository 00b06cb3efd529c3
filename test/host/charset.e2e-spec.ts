import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JSON_RPC_PATH, message, rest } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

describe('a body in another charset than UTF-8', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => probeModule());
  });
  afterAll(() => pair.close());

  const headers = { 'content-type': 'application/json; charset=utf-16' };

  it.each([
    ['JSON-RPC', JSON_RPC_PATH, 'error.data.0.reason'],
    ['HTTP+JSON', rest('POST', '/message:send').path, 'error.details.0.reason'],
  ])('is refused: %s', async (_binding, path, reason) => {
    const answer = await pair.call({ method: 'POST', path, headers, body: JSON.stringify(message('hi')) });
    expect(at(answer.body, reason)).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });
});
