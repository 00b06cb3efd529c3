import { describe, expect, it } from '@jest/globals';
import { type Artifact, type StreamResponse, type Struct, TaskState } from 'nestjs-a2a/protocol';
import { ProtocolResponses, toTaskResult } from 'nestjs-a2a/workflow';
import { artifactOf, messageOf, taskOf } from '../../../../../test/support/workflow/scripted-runtime.js';
import { ResponseAccumulator } from './response-accumulator.js';

const { COMPLETED, FAILED, WORKING, UNSPECIFIED, SUBMITTED } = TaskState;
const ids = { taskId: 't', contextId: 'c' };
const artifact = (given: Artifact, append = false): StreamResponse => ({
  artifactUpdate: { ...ids, artifact: given, append },
});
const status = (state: TaskState, text?: string, metadata?: Struct): StreamResponse => ({
  statusUpdate: { ...ids, status: { state, ...(text !== undefined && { message: messageOf(text) }) }, metadata },
});
const snapshot = (state: TaskState, ...artifacts: string[][]): StreamResponse => ({
  task: {
    ...taskOf('c', state),
    ...(artifacts.length > 0 && { artifacts: artifacts.map((v, i) => artifactOf(`a${i}`, v)) }),
  },
});
const outputsOf = (...events: StreamResponse[]) => ProtocolResponses.fromEvents(events).outputs;

describe('the artifacts of a stream', () => {
  it.each<[string, StreamResponse[], unknown[]]>([
    ['appended', [artifact(artifactOf('a', ['1'])), artifact(artifactOf('a', ['2']), true)], ['1', '2']],
    ['appended to nothing', [artifact(artifactOf('a', ['1']), true)], ['1']],
    [
      'replaced in place',
      [artifact(artifactOf('a', ['1'])), artifact(artifactOf('b', ['2'])), artifact(artifactOf('a', ['3']))],
      ['3', '2'],
    ],
    [
      'told again by a snapshot',
      [artifact(artifactOf('a0', ['1'])), artifact(artifactOf('a0', ['2']), true), snapshot(COMPLETED, ['1', '2'])],
      ['1', '2'],
    ],
    ['left alone by a snapshot without any', [artifact(artifactOf('a', ['1'])), snapshot(COMPLETED)], ['1']],
    ['replaced as a whole by a snapshot', [artifact(artifactOf('x', ['1'])), snapshot(COMPLETED, ['2'])], ['2']],
  ])('are %s', (_case, events, outputs) => expect(outputsOf(...events, status(COMPLETED))).toEqual(outputs));

  it('keep their name and merge their metadata', () => {
    const { receivedMessages } = ProtocolResponses.fromEvents([
      artifact({ ...artifactOf('a', ['1']), name: 'one', metadata: { x: 1, y: 1 } }),
      artifact({ ...artifactOf('a', ['2']), description: 'more', metadata: { y: 2 } }, true),
    ]);
    expect(receivedMessages[0]?.artifacts).toEqual([
      {
        artifactId: 'a',
        name: 'one',
        description: 'more',
        metadata: { x: 1, y: 2 },
        parts: [{ text: '1' }, { text: '2' }],
      },
    ]);
  });

  it('are not those of the events: nothing that was handed in changes', () => {
    const first = artifactOf('a', ['1']);
    outputsOf(artifact(first), artifact(artifactOf('a', ['2']), true));
    expect(first.parts).toEqual([{ text: '1' }]);
    expect(Object.isFrozen(first.parts)).toBe(false);
  });

  it('are put together in linear time', () => {
    const accumulator = new ResponseAccumulator();
    for (let index = 0; index < 50_000; index += 1) accumulator.apply(artifact(artifactOf('a', ['x']), true));
    expect(accumulator.taskView().artifacts[0]?.parts).toHaveLength(50_000);
  });
});

describe('the projection to outputs', () => {
  it('takes texts and data as they are, one by one, and no files', () => {
    const parts = [
      { text: '{"a":1}' },
      { text: 'b' },
      { data: [1, [2]] },
      { url: 'https://files.test/f' },
      { data: null },
    ];
    expect(outputsOf(artifact({ artifactId: 'a', parts }))).toEqual(['{"a":1}', 'b', [1, [2]], null]);
  });

  it.each<[string, StreamResponse[], unknown[]]>([
    ['a message of its own', [{ message: messageOf('hi') }], ['hi']],
    ['several of them', [{ message: messageOf('1') }, { message: messageOf('2') }], ['1', '2']],
    ['the message of a task that completed', [status(COMPLETED, 'fine')], ['fine']],
    ['not that of one that failed', [status(FAILED, 'why')], []],
    ['not that of one that works', [status(WORKING, 'soon')], []],
    ['no message beside artifacts', [artifact(artifactOf('a', ['1'])), status(COMPLETED, 'fine')], ['1']],
    ['artifacts of one that failed', [artifact(artifactOf('a', ['1'])), status(FAILED, 'why')], ['1']],
    ['nothing of metadata', [status(COMPLETED, undefined, { a: 1 })], []],
  ])('takes %s', (_case, events, outputs) => expect(outputsOf(...events)).toEqual(outputs));
});

describe('a result', () => {
  it('keeps its levels apart: messages first, then the task', () => {
    const message = { ...messageOf('hi', { m: 1 }), messageId: 'same' };
    const result = ProtocolResponses.fromEvents([
      { message: { ...message, parts: [{ text: 'earlier' }] } },
      { message: messageOf('other') },
      { message },
      { task: { ...taskOf('c', WORKING), metadata: { before: 1 } } },
      { task: { ...taskOf('c', WORKING), metadata: { t: 1 } } },
      status(COMPLETED, 'fine', { s: 1 }),
    ]);
    expect(result.receivedMessages.map((entry) => [entry.message?.parts, entry.taskMetadata])).toEqual([
      [[{ text: 'hi' }], {}],
      [[{ text: 'other' }], {}],
      [[{ text: 'fine' }], { t: 1, s: 1 }],
    ]);
    expect(result).toMatchObject({
      taskState: COMPLETED,
      task: { id: 't', contextId: 'c', status: { state: COMPLETED } },
      metadata: { m: 1, t: 1, s: 1 },
    });
    expect(Object.isFrozen(result.task?.status)).toBe(true);
  });

  it('has the texts of artifacts for people, else those of what was said, each once', () => {
    expect(
      ProtocolResponses.fromEvents([status(WORKING, 'one'), status(WORKING, 'one'), status(FAILED, 'two')]).text,
    ).toBe('one\ntwo');
    expect(ProtocolResponses.fromEvents([status(WORKING, 'one'), artifact(artifactOf('a', ['x', 'y']))]).text).toBe(
      'xy',
    );
  });

  it('takes the words of many states in, and keeps few', () => {
    const events = Array.from({ length: 500 }, (_, index) => status(WORKING, `step ${index}`));
    expect(ProtocolResponses.fromEvents(events).text.split('\n')).toHaveLength(64);
  });

  it('has no task while no state is known', () => {
    const result = ProtocolResponses.fromEvents([artifact(artifactOf('a', ['x']))]);
    expect(result).toMatchObject({ task: null, taskState: '', outputs: ['x'] });
  });
});

describe('toTaskResult', () => {
  const of = (...events: StreamResponse[]) => toTaskResult(ProtocolResponses.fromEvents(events));

  it.each<[string, ReturnType<typeof toTaskResult>, object]>([
    [
      'nothing',
      toTaskResult(null),
      { success: false, errorCode: 'remote.no_response', error: 'Agent returned no response' },
    ],
    [
      'a failure of this side',
      toTaskResult(
        ProtocolResponses.withFailure(ProtocolResponses.fromTask(taskOf('c', COMPLETED, { says: 'x' })), 'a.b', 'no'),
      ),
      { success: false, errorCode: 'a.b', error: 'no', outputs: [] },
    ],
    ['COMPLETED', of(status(COMPLETED, 'fine')), { success: true, outputs: ['fine'], error: null }],
    ['a message', of({ message: messageOf('hi') }), { success: true, outputs: ['hi'] }],
    [
      'FAILED, with what was done until then',
      of(artifact(artifactOf('a', ['x'])), status(FAILED)),
      {
        success: false,
        errorCode: 'remote.task_failed',
        error: 'Agent returned state=TASK_STATE_FAILED',
        outputs: ['x'],
      },
    ],
    ['a task at work', of(snapshot(SUBMITTED)), { success: false, error: 'Agent returned state=TASK_STATE_SUBMITTED' }],
    [
      'a task in no state',
      of(snapshot(UNSPECIFIED), { message: messageOf('x') }),
      { success: false, errorCode: 'remote.task_failed' },
    ],
    [
      'nothing that was said',
      toTaskResult(ProtocolResponses.fromEvents([])),
      { success: false, error: 'Agent returned state=' },
    ],
  ])('of %s', (_case, result, shape) => expect(result).toMatchObject(shape));
});

describe('what a long stream holds', () => {
  it('is its latest message, and no more artifacts than it may', () => {
    const accumulator = new ResponseAccumulator({ latestMessageOnly: true, maxArtifacts: 2 });
    for (const name of ['a', 'b', 'c']) {
      accumulator.apply({ message: messageOf(name) });
      accumulator.apply(artifact(artifactOf(name, [name])));
    }
    expect(accumulator.received()).toHaveLength(2);
    expect(accumulator.taskView().artifacts.map(({ artifactId }) => artifactId)).toEqual(['b', 'c']);
  });

  it('is the end of an artifact that is appended to', () => {
    const accumulator = new ResponseAccumulator({ maxParts: 3 });
    for (const text of ['1', '2', '3', '4', '5']) accumulator.apply(artifact(artifactOf('a', [text]), true));
    expect(accumulator.taskView().outputs(false)).toEqual(['3', '4', '5']);
  });
});
