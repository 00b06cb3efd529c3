import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JSON_RPC_PATH, REST_PATH } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import type { Pair } from '../support/parity.js';
import { probePair } from '../support/probe-pair.js';

describe('no body at all, said to be compressed', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await probePair();
  });
  afterAll(() => pair.close());

  it.each([
    ['JSON-RPC', JSON_RPC_PATH, 200, 'error.data.0.reason'],
    ['REST', `${REST_PATH}/message:send`, 400, 'error.details.0.reason'],
  ])('is the same error of ours on both adapters: %s', async (_binding, path, status, reason) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await pair.call({ method: 'POST', path, headers, body: '' });
    expect([answer.status, at(answer.body, reason)]).toEqual([status, 'JSON_PARSE']);
  });
});
