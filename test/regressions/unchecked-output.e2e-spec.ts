import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { message, rest } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

const emit =
  (method: 'addArtifact' | 'updateStatus' | 'working', ...args: unknown[]) =>
  (emitter: AgentEmitter): Promise<unknown> =>
    Reflect.apply(emitter[method], emitter, args);

function withHole(): unknown[] {
  const list: unknown[] = [];
  list.length = 1;
  return list;
}

/** What authors without types may emit. */
const WRONG = new Map<string, (emitter: AgentEmitter) => Promise<unknown>>([
  ['a BigInt as name', emit('addArtifact', 'x', { name: 5n })],
  ['a number as artifactId', emit('addArtifact', 'x', { artifactId: 5 })],
  ['a BigInt as extension', emit('working', { parts: 'x', extensions: [5n] })],
  ['a list as metadata', emit('addArtifact', 'x', { metadata: [1] })],
  ['a list of parts with a hole', emit('addArtifact', withHole())],
  ['a state that there is not', emit('updateStatus', 'TASK_STATE_BOGUS')],
  ['no state', emit('updateStatus', null)],
]);

class UntypedExecutor extends AgentExecutor {
  override async execute({ text }: RequestContext, emitter: AgentEmitter): Promise<void> {
    await WRONG.get(text)?.(emitter);
    await emitter.complete();
  }
}

describe('what is not of the protocol is refused to the author', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() => probeModule({ executor: UntypedExecutor, agentTimeoutSeconds: 10 }));
  });
  afterAll(() => pair.close());

  it.each([...WRONG.keys()])('%s', async (name) => {
    const { status, body } = await pair.call(rest('POST', '/message:send', message(name)));
    expect([status, at(body, 'task.status.state')]).toEqual([200, 'TASK_STATE_FAILED']);
    const list = await pair.call(rest('GET', '/tasks'));
    expect(list.status).toBe(200);
  });
});
