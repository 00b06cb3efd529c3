import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { message, rest } from '../support/a2a-calls.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

/** Does to what it is given whatever the types allow. */
class MeddlingExecutor extends AgentExecutor {
  override async execute({ message: given, task, text }: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (text === 'ask') return emitter.requireInput('what?');
    this.meddle(() => (given.parts = [{ text: 'forged' }]));
    this.meddle(() => given.parts.push({ text: 'forged' }));
    this.meddle(() => (given.metadata = { forged: true }));
    if (task !== undefined) {
      this.meddle(() => (task.id = 'forged'));
      this.meddle(() => (task.status.state = TaskState.FAILED));
      this.meddle(() => task.history?.splice(0));
    }
    await emitter.complete('done');
  }

  /** Refusing is a way to keep what is ours. */
  private meddle(change: () => unknown): void {
    try {
      change();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

describe('what an executor does to the objects it was given', () => {
  let pair: Pair;
  beforeAll(async () => {
    // A task that looks ended before it is would be waited for.
    pair = await Pair.start(() => probeModule({ executor: MeddlingExecutor, agentTimeoutSeconds: 10 }));
  });
  afterAll(() => pair.close());

  it('changes no message in the history', async () => {
    const { status, body } = await pair.call(rest('POST', '/message:send', message('hello')));
    expect([status, at(body, 'task.history.0.parts')]).toEqual([200, [{ text: 'hello' }]]);
  });

  it('changes no task', async () => {
    await pair.note('task', 'task.id', rest('POST', '/message:send', message('ask')));
    await pair.call((side) => rest('POST', '/message:send', message('answer', { taskId: side.note('task') })));
    const { status, body } = await pair.call((side) => rest('GET', `/tasks/${side.note('task')}`));
    const texts = [0, 1, 2].map((index) => at(body, `history.${index}.parts.0.text`));
    expect([status, at(body, 'status.state'), texts]).toEqual([
      200,
      'TASK_STATE_COMPLETED',
      ['ask', 'what?', 'answer'],
    ]);
  });
});
