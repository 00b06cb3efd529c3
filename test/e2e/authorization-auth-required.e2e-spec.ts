import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import { asUser, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { cardOf } from '../support/echo.executor.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, listAt, send } from '../support/http-call.js';
import { Pair, type Side } from '../support/parity.js';

const QUESTION = 'Send the code';

/** Asks for a code until it is right: in a run for each message, or in one that reads them all. */
class Clerk extends AgentExecutor {
  readonly states: (string | undefined)[] = [];

  async execute({ message: sent, task, text, messages }: RequestContext, emitter: AgentEmitter): Promise<void> {
    this.states.push(task?.status.state);
    if (text === 'patient') {
      await emitter.requireAuth(QUESTION);
      for await (const next of messages) {
        if (next.metadata?.['code'] === 'good') break;
        await emitter.requireAuth(QUESTION);
      }
    } else if (sent.metadata?.['code'] !== 'good') {
      return emitter.requireAuth(QUESTION);
    }
    await emitter.complete('Done');
  }
}

describe('AUTH_REQUIRED', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() =>
      A2AModule.forRoot({ agentCard: cardOf('Clerk'), executor: Clerk, guards: [BelievingGuard] }),
    );
  });
  afterAll(() => pair.close());

  const stateOf = async (side: Side): Promise<unknown> => {
    const { body } = await send(side.url, rpc('GetTask', { id: side.note('id') }, asUser('ann')));
    return at(body, 'result.status.state');
  };
  const states = (): Promise<unknown[]> => pair.each(stateOf);
  const waiting = [TaskState.AUTH_REQUIRED, TaskState.AUTH_REQUIRED];

  it.each([
    ['with a run for each message', 'begin'],
    ['with a run that lives on', 'patient'],
  ])('%s: stays through messages without the credential, and is left by the agent alone', async (_how, word) => {
    const states: [unknown, unknown][] = [];
    await pair.note('id', 'result.task.id', rpc('SendMessage', message(word), asUser('ann')));
    for (const metadata of [undefined, { code: 'guessed' }, { code: 'good' }]) {
      const { body } = await pair.call((side) =>
        rpc('SendMessage', message('here', { taskId: side.note('id'), metadata }), asUser('ann')),
      );
      states.push([at(body, 'result.task.status.state'), await pair.each(stateOf).then(([first]) => first)]);
    }
    expect(states).toEqual([waiting, waiting, [TaskState.COMPLETED, TaskState.COMPLETED]]);
  });

  it('is still there when the agent takes a message up, and no stream shows anything between', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('begin'), asUser('ann')));
    await pair.each(async (side) => {
      const clerk = side.running.app.get<Clerk>(AgentExecutor, { strict: false });
      clerk.states.length = 0;
      const taskId = side.note('id');
      const watching = await EventClient.open(
        side.url,
        rest('GET', `/tasks/${taskId}:subscribe`, undefined, asUser('ann')),
      );
      for (const code of ['guessed', 'good']) {
        await send(side.url, rpc('SendMessage', message('here', { taskId, metadata: { code } }), asUser('ann')));
      }
      await watching.ended;
      expect(clerk.states).toEqual([TaskState.AUTH_REQUIRED, TaskState.AUTH_REQUIRED]);
      const shown = watching.frames.map(
        ({ data }) => at(data, 'task.status.state') ?? at(data, 'statusUpdate.status.state'),
      );
      expect(shown.at(-1)).toBe(TaskState.COMPLETED);
      expect(new Set(shown.slice(0, -1))).toEqual(new Set([TaskState.AUTH_REQUIRED]));
    });
  });

  it('is no grant: nobody else may answer it, look at it or end it, with the credential neither', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('begin'), asUser('ann')));
    for (const headers of [asUser('ben'), {}]) {
      const answer = await pair.call((side) =>
        rpc('SendMessage', message('here', { taskId: side.note('id'), metadata: { code: 'good' } }), headers),
      );
      expect(at(answer.body, 'error.code')).toBe(-32001);
      const cancel = await pair.call((side) => rpc('CancelTask', { id: side.note('id') }, headers));
      expect(at(cancel.body, 'error.code')).toBe(-32001);
    }
    expect(await states()).toEqual(waiting);
  });

  it('ends with a cancel of its owner', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('begin'), asUser('ann')));
    const canceled = await pair.call((side) => rpc('CancelTask', { id: side.note('id') }, asUser('ann')));
    expect(at(canceled.body, 'result.status.state')).toBe(TaskState.CANCELED);
    const list = await pair.call(rpc('ListTasks', { status: TaskState.CANCELED }, asUser('ann')));
    expect(listAt(list.body, 'result.tasks')).toHaveLength(1);
  });
});
