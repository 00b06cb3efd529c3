import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentExecutor, type AgentOutput, type RequestContext } from 'nestjs-a2a';
import { Observable } from 'rxjs';
import { message, rest } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

const refuse = (): never => {
  throw new Error('nobody may look');
};

function withoutStack(): Error {
  const error = new Error('has a stack that nobody may read');
  Object.defineProperty(error, 'stack', { get: refuse });
  return error;
}

/** What cannot be written down: every way to make text of it throws. */
const UNPRINTABLE = new Map<string, () => unknown>([
  ['an object without a prototype', () => Object.create(null)],
  ['an object whose toString() throws', () => ({ toString: refuse })],
  ['a proxy that refuses everything', () => new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
  ['an error whose stack cannot be read', withoutStack],
]);

class ThrowingExecutor extends AgentExecutor {
  override async execute({ text }: RequestContext): Promise<void> {
    throw UNPRINTABLE.get(text)?.();
  }
}

/** Yields what is refused, and fails again when it is told to stop. */
class FailingTwiceExecutor extends AgentExecutor {
  override execute(): Observable<AgentOutput> {
    return new Observable((subscriber) => {
      subscriber.next({ artifact: { parts: [] } });
      return refuse;
    });
  }
}

describe('an executor that fails in a way that cannot be written down', () => {
  let pair: Pair;
  beforeAll(async () => {
    // A run that is never brought to its end is answered as it stands.
    pair = await Pair.start(() => probeModule({ executor: ThrowingExecutor, agentTimeoutSeconds: 10 }));
  });
  afterAll(() => pair.close());

  it.each([...UNPRINTABLE.keys()])('has a FAILED task: %s', async (name) => {
    const { body } = await pair.call(rest('POST', '/message:send', message(name)));
    expect(at(body, 'task.status.state')).toBe('TASK_STATE_FAILED');
  });
});

describe('an Observable whose teardown throws when a value was refused', () => {
  it('has a FAILED task, and rejects nothing behind our back', async () => {
    const pair = await Pair.start(() =>
      probeModule({ executor: FailingTwiceExecutor, agentTimeoutSeconds: 10, shutdownTimeoutSeconds: 0.1 }),
    );
    try {
      const { body } = await pair.call(rest('POST', '/message:send', message('go')));
      expect(at(body, 'task.status.state')).toBe('TASK_STATE_FAILED');
    } finally {
      await pair.close();
    }
  });
});
