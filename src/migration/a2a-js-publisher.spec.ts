import { describe, expect, it } from '@jest/globals';
import { TaskState, type Artifact, type StreamResponse, type Task } from 'nestjs-a2a/protocol';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import { A2AJsPublisher } from './a2a-js-publisher.js';

/** Writes down what is emitted. */
function noting(said: unknown[]): AgentEmitter {
  const note = async (...what: unknown[]): Promise<void> => void said.push(what.filter((entry) => entry !== undefined));
  return {
    updateStatus: (state, message) => note(state, message),
    addArtifact: async (parts, { artifactId = '', append } = {}) => {
      await note(append === true ? `${artifactId}+` : artifactId, parts);
      return artifactId;
    },
    complete: (message) => note('complete', message),
    sendMessage: (message) => note('message', message),
    working: () => note('working'),
    requireInput: () => note('requireInput'),
    requireAuth: () => note('requireAuth'),
    fail: () => note('fail'),
    reject: () => note('reject'),
    text: (chunk) => note(chunk),
    detach: () => undefined,
  };
}

const artifact = (...texts: string[]): Artifact => ({ artifactId: 'a', parts: texts.map((text) => ({ text })) });
const whole = (state: TaskState, ...artifacts: Artifact[]): Task => ({ id: 't', status: { state }, artifacts });
const task = (...artifacts: Artifact[]): StreamResponse => ({ task: whole(TaskState.WORKING, ...artifacts) });
const chunk = (append: boolean, ...texts: string[]): StreamResponse => ({
  artifactUpdate: { taskId: 't', contextId: 'c', artifact: artifact(...texts), append },
});

const ONE = ['a', [{ text: '1' }]];
const WORKING = [TaskState.WORKING];

describe('A2AJsPublisher', () => {
  it.each<[string, Artifact[], StreamResponse[], unknown[]]>([
    ['an artifact said again', [], [task(artifact('1')), task(artifact('1'))], [ONE, WORKING]],
    ['a changed artifact', [], [task(artifact('1')), task(artifact('2'))], [ONE, WORKING, ['a', [{ text: '2' }]]]],
    [
      'what chunks have said already',
      [],
      [chunk(false, '1'), chunk(true, '2'), task(artifact('1', '2'))],
      [ONE, ['a+', [{ text: '2' }]], WORKING],
    ],
    [
      'less than chunks have said',
      [],
      [chunk(false, '1'), chunk(true, '2'), task(artifact('1'))],
      [ONE, ['a+', [{ text: '2' }]], ONE, WORKING],
    ],
    [
      'an artifact that was begun again',
      [],
      [chunk(false, '0'), chunk(false, '1'), task(artifact('1'))],
      [['a', [{ text: '0' }]], ONE, WORKING],
    ],
    ['an artifact from before', [artifact('1')], [task(artifact('1'))], [WORKING]],
    [
      'one from before with a chunk more',
      [artifact('1')],
      [chunk(true, '2'), task(artifact('1', '2'))],
      [['a+', [{ text: '2' }]], WORKING],
    ],
  ])('emits only what is new in a task: %s', async (_what, before, events, emitted) => {
    const said: unknown[] = [];
    const publisher = new A2AJsPublisher({ task: whole(TaskState.SUBMITTED, ...before) }, noting(said));
    for (const event of events) await publisher.emit(event);
    expect(said).toEqual(emitted);
  });
});
