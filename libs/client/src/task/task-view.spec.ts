import { describe, expect, it } from '@jest/globals';
import { Role, TaskState, type Message, type Part, type StreamResponse, type Task } from 'nestjs-a2a/protocol';
import { partsBeyond } from './artifact-parts.js';
import { TaskView } from './task-view.js';

const { WORKING, COMPLETED } = TaskState;
const ids = { taskId: 't', contextId: 'c' };
const text = (value: string, more: Partial<Part> = {}): Part => ({ text: value, ...more });
const says = (messageId: string): Message => ({ messageId, role: Role.AGENT, parts: [text(messageId)] });
const artifactEvent = (artifactId: string, parts: Part[], append?: boolean): StreamResponse => ({
  artifactUpdate: { ...ids, artifact: { artifactId, parts }, ...(append !== undefined && { append }) },
});
const statusEvent = (state: TaskState, message?: Message, timestamp?: string): StreamResponse => ({
  statusUpdate: { ...ids, status: { state, ...(message && { message }), ...(timestamp && { timestamp }) } },
});

function viewOf(...events: readonly StreamResponse[]): TaskView {
  const view = new TaskView();
  for (const event of events) view.apply(event);
  return view;
}

describe('partsBeyond', () => {
  const data: Part = { data: { a: 1 } };
  const file: Part = { raw: 'aGk=', filename: 'a.txt' };
  it.each<[name: string, known: Part[], all: Part[], beyond: Part[] | undefined]>([
    ['nothing at all', [], [], []],
    ['everything', [], [text('a')], [text('a')]],
    ['nothing new', [text('a'), data], [text('a'), data], []],
    ['more text in the same part', [text('a')], [text('abc')], [text('bc')]],
    ['more text in more parts', [text('a')], [text('a'), text('b'), text('c')], [text('bc')]],
    ['parts that were merged', [text('a'), text('b')], [text('ab')], []],
    ['parts that were merged, and more', [text('a'), text('b')], [text('abc'), data], [text('c'), data]],
    ['parts that were split', [text('abc')], [text('a'), text('b'), text('c')], []],
    ['a part behind', [text('a')], [text('a'), data], [data]],
    ['less text: it is older', [text('abc')], [text('ab')], []],
    ['fewer parts: it is older', [text('a'), data], [text('a')], []],
    ['other text', [text('abc')], [text('abd')], undefined],
    ['another part', [data], [{ data: { a: 2 } }], undefined],
    ['more text before a known part', [text('a'), data], [text('ab'), data], undefined],
    ['texts of another kind', [text('a')], [text('ab', { mediaType: 'text/html' })], undefined],
    ['a kind of text behind', [text('a')], [text('a'), text('b', { filename: 'b' })], [text('b', { filename: 'b' })]],
    [
      'a file without its bytes',
      [file, text('a')],
      [{ raw: '', filename: 'a.txt', metadata: { x: 1 } }, text('ab')],
      [text('b')],
    ],
    ['another file without its bytes', [file], [{ raw: '', filename: 'b.txt' }], undefined],
    ['members in another order', [{ data: { a: 1, b: 2 } }], [{ data: { b: 2, a: 1 } }], []],
  ])('%s', (_name, known, all, beyond) => {
    expect(partsBeyond(known, all)).toEqual(beyond);
  });
});

describe('TaskView', () => {
  it('is empty before the first event', () => {
    const view = new TaskView();
    expect([view.task, view.message, view.state, view.taskId, view.contextId, view.text]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      '',
    ]);
  });

  it('puts a task together', () => {
    const user: Message = { messageId: 'u', role: Role.USER, parts: [text('hi')] };
    const view = viewOf(
      {
        task: {
          id: 't',
          contextId: 'c',
          status: { state: WORKING, message: says('m1') },
          history: [user],
          metadata: { a: 1 },
        },
      },
      artifactEvent('a', [text('1')]),
      artifactEvent('a', [text('2'), text('3')], true),
      artifactEvent('b', [text('x')], true),
      statusEvent(WORKING, says('m2')),
      artifactEvent('b', [text('y')]),
      statusEvent(COMPLETED, says('m3'), '2026-01-01T00:00:00.000Z'),
    );
    expect(view.task).toEqual({
      id: 't',
      contextId: 'c',
      status: { state: COMPLETED, message: says('m3'), timestamp: '2026-01-01T00:00:00.000Z' },
      artifacts: [
        { artifactId: 'a', parts: [text('1'), text('2'), text('3')] },
        { artifactId: 'b', parts: [text('y')] },
      ],
      history: [user, says('m1'), says('m2')],
      metadata: { a: 1 },
    });
    expect(view).toMatchObject({ taskId: 't', contextId: 'c', state: COMPLETED, text: '123y' });
  });

  it('is live, and what it handed out is not', () => {
    const event: StreamResponse = {
      task: { id: 't', status: { state: WORKING }, artifacts: [{ artifactId: 'a', parts: [text('1')] }] },
    };
    const view = viewOf(event);
    const before = view.task;
    expect(view.task).toBe(before);
    view.apply(artifactEvent('a', [text('2')], true));
    expect(before?.artifacts?.[0]?.parts).toEqual([text('1')]);
    expect(event.task.artifacts?.[0]?.parts).toEqual([text('1')]);
    expect(view.text).toBe('12');
  });

  it('has the message of an agent that answers directly', () => {
    const view = viewOf({ message: { ...says('m'), contextId: 'c' } });
    expect(view).toMatchObject({ message: { messageId: 'm' }, contextId: 'c', text: 'm', task: undefined });
  });

  describe('missing', () => {
    const task = (more: Partial<Task>): Task => ({ id: 't', contextId: 'c', status: { state: WORKING }, ...more });
    const view = viewOf(
      { task: task({ status: { state: WORKING, message: says('m1'), timestamp: '2026-01-01T00:00:02.000Z' } }) },
      artifactEvent('a', [text('1')]),
    );
    const status = view.task?.status ?? { state: WORKING };

    it.each<[string, Partial<Task>, StreamResponse[]]>([
      ['nothing', { status, artifacts: [{ artifactId: 'a', parts: [text('1')] }] }, []],
      ['nothing of a snapshot without artifacts', { status }, []],
      [
        'a chunk',
        { status, artifacts: [{ artifactId: 'a', parts: [text('12')] }] },
        [artifactEvent('a', [text('2')], true)],
      ],
      [
        'an artifact',
        { status, artifacts: [{ artifactId: 'b', parts: [text('x')] }] },
        [artifactEvent('b', [text('x')])],
      ],
      [
        'a new artifact',
        { status, artifacts: [{ artifactId: 'a', parts: [text('x')] }] },
        [artifactEvent('a', [text('x')])],
      ],
      ['a state', { status: { state: COMPLETED } }, [statusEvent(COMPLETED)]],
      ['a message', { status: { state: WORKING, message: says('m2') } }, [statusEvent(WORKING, says('m2'))]],
      ['no older state', { status: { state: COMPLETED, timestamp: '2026-01-01T00:00:01.000Z' } }, []],
    ])('%s', (_name, snapshot, events) => {
      expect(view.missing(task(snapshot))).toEqual(events);
    });

    it('tells the status last', () => {
      const events = view.missing(
        task({ status: { state: COMPLETED }, artifacts: [{ artifactId: 'b', parts: [text('x')] }] }),
      );
      expect(events.map((event) => Object.keys(event)[0])).toEqual(['artifactUpdate', 'statusUpdate']);
    });
  });
});
