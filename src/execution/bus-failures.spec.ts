import { afterEach, describe, expect, it } from '@jest/globals';
import { InternalError, TaskState } from 'nestjs-a2a/protocol';
import { AgentsUnderTest, type Execute } from '../../test/support/in-process-agent.js';
import { RxJsTaskEventBus } from '../events/rxjs-task-event-bus.js';
import type { TaskEvent } from '../events/task-event.js';
import type { TaskKey } from '../tasks/task-record.js';

const agents = new AgentsUnderTest();

afterEach(() => agents.expectIdle());

/** A bus that does with each event what a test says. Typed as if it gave nothing: what it gives is the test's. */
class ScriptedBus extends RxJsTaskEventBus {
  constructor(private readonly script: (pass: () => void, event: TaskEvent) => void) {
    super({ replayGraceSeconds: 0 });
  }

  override awaits(): boolean {
    return true;
  }

  override publish(key: TaskKey, event: TaskEvent): void {
    return this.script(() => super.publish(key, event), event);
  }
}

const busy: Execute = async (_, emitter) => {
  await emitter.working();
  await emitter.text('a');
  await emitter.text('b');
  await emitter.complete('done');
};

// oxlint-disable-next-line unicorn/no-thenable -- what looks like a promise is what this is about
const THEN: string = 'then';

describe('A bus', () => {
  it('whose publish gives something that only looks like a promise is waited for', async () => {
    const bus = new ScriptedBus((pass) => ({
      [THEN]: (resolve: () => void): void =>
        queueMicrotask(() => {
          pass();
          resolve();
        }),
    }));
    const agent = agents.make({ bus, execute: busy });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.words).toEqual([
      'task TASK_STATE_SUBMITTED',
      TaskState.WORKING,
      'artifact a',
      'artifact b',
      TaskState.COMPLETED,
    ]);
    const { status } = await agent.sendForTask('hi');
    expect(status.state).toBe(TaskState.COMPLETED);
  });

  it.each<[string, () => void]>([
    [
      'throws',
      () => {
        throw new Error('no broker');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no broker'))],
  ])('that %s harms no task, and is written down once for each', async (_what, fail) => {
    const agent = agents.make({ bus: new ScriptedBus(fail), execute: busy });
    const { id, status, artifacts } = await agent.sendForTask('hi');
    expect(status.state).toBe(TaskState.COMPLETED);
    expect(artifacts?.[0]?.parts).toEqual([{ text: 'a' }, { text: 'b' }]);
    expect((await agent.stored(id))?.status.state).toBe(TaskState.COMPLETED);
    const text = `error: Task ${id}: its events could not be handed out; its readers get an error`;
    expect(agent.logs).toEqual([text]);
  });

  it('that fails ends the streams of the task with an error', async () => {
    const bus = new ScriptedBus((pass, event) => (event.last ? Promise.reject(new Error('no broker')) : pass()));
    const agent = agents.make({ bus, execute: busy });
    const stream = await agent.stream('hi');
    await stream.over;
    expect(stream.words).toHaveLength(4);
    expect(stream.error).toBeInstanceOf(InternalError);
    const { tasks } = await agent.handler.listTasks({}, agent.call());
    expect(tasks[0]?.status.state).toBe(TaskState.COMPLETED);
  });
});
