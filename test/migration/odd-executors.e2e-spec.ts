import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AModule, fromA2AJsExecutor, type A2AJsEventBus, type A2AJsExecutor } from 'nestjs-a2a';
import { hurried, rpc } from '../support/a2a-calls.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { cardOf } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { start, type RunningApp } from '../support/running-app.js';
import { answered, peerV1, wordOf } from './official-servers.js';

const status = (state: number): object => ({ kind: 'statusUpdate', data: { status: { state } } });
const COMPLETED = status(3);
const message = { kind: 'message', data: { role: 2, parts: [{ content: { $case: 'text', value: 'hi' } }] } };
const refuse = (): never => {
  throw new Error('password=hunter2');
};
const hostile = new Proxy({}, { get: refuse });

type Act = (bus: A2AJsEventBus) => unknown;

/** What executors do that follow no rule; the message says which. */
const ACTS: Readonly<Record<string, Act>> = {
  'throw at once': refuse,
  'throw nothing': () => Promise.reject(undefined),
  nothing: () => undefined,
  'finish first': (bus) => {
    bus.finished();
    bus.publish(COMPLETED);
  },
  'answer what is no promise': (bus) => {
    bus.publish(COMPLETED);
    return 5;
  },
  null: (bus) => bus.publish(null),
  'a hostile event': (bus) => bus.publish(hostile),
  'a message without an id': (bus) => bus.publish(message),
  'after the end': (bus) => {
    for (const event of [COMPLETED, status(2), message]) bus.publish(event);
  },
  hang: (bus) => {
    bus.publish(status(2));
    return new Promise(() => undefined);
  },
};

function executorOf(cancelTask: () => unknown): A2AJsExecutor {
  return Object.assign(JSON.parse('{}'), {
    execute: ({ userMessage }: { userMessage: unknown }, bus: A2AJsEventBus) =>
      ACTS[String(at(userMessage, 'parts.0.content.value'))]?.(bus),
    cancelTask,
  });
}

describe('an executor that follows no rule', () => {
  const logger = new CapturingLogger();
  let cancelTask: () => unknown = () => undefined;
  let running: RunningApp;

  beforeAll(async () => {
    const executor = { useValue: fromA2AJsExecutor(executorOf(() => cancelTask())) };
    const module = A2AModule.forRoot({ agentCard: cardOf('Odd'), executor, cancelGraceSeconds: 0.02 });
    running = await start('fastify', module, { logger });
  });
  afterAll(() => running.close());

  it.each([
    ['throw at once', 'FAILED: The agent failed'],
    ['throw nothing', 'FAILED: The agent failed'],
    ['nothing', 'FAILED: The agent ended without an answer'],
    ['finish first', 'FAILED: The agent ended without an answer'],
    ['answer what is no promise', 'COMPLETED'],
    ['null', 'FAILED: The agent failed'],
    ['a hostile event', 'FAILED: The agent failed'],
    ['a message without an id', 'message: hi'],
    ['after the end', 'COMPLETED'],
  ])('has a task with an end all the same: %s', async (act, end) => {
    const word = wordOf(await answered(peerV1(running.url), act)).replace(/^task /, '');
    expect(word).toContain(end);
    expect(word).not.toContain('hunter2');
  });

  it.each<[string, () => unknown, string]>([
    ['throws at once', refuse, 'password=hunter2'],
    ['fails', () => Promise.reject(new Error('no such job')), 'no such job'],
    ['hangs', () => new Promise(() => undefined), 'the executor does not stop; its run is given up'],
    ['does nothing', () => undefined, 'the executor does not stop; its run is given up'],
  ])('is canceled when its cancelTask %s, and the log says why', async (_what, cancel, said) => {
    cancelTask = cancel;
    const sent = await send(running.url, rpc('SendMessage', hurried('hang')));
    const id = String(at(sent.body, 'result.task.id'));
    const { body, text } = await send(running.url, rpc('CancelTask', { id }));
    expect(at(body, 'result.status.state')).toBe('TASK_STATE_CANCELED');
    expect(text).not.toContain('hunter2');
    const ofTask = logger.text.slice(logger.text.indexOf(id));
    expect(ofTask).toContain(said);
  });
});
