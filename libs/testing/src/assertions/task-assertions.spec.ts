import { AssertionError } from 'node:assert';
import { describe, expect, it } from '@jest/globals';
import { Role, TaskState, type Message, type Task } from 'nestjs-a2a/protocol';
import {
  describeTask,
  expectArtifact,
  expectHistory,
  expectState,
  expectStatusText,
  expectText,
  textOf,
} from 'nestjs-a2a/testing';

const message: Message = { messageId: 'm', role: Role.AGENT, parts: [{ text: 'Half ' }, { data: 1 }, { text: 'way' }] };

const task: Task = {
  id: 't1',
  contextId: 'c1',
  status: { state: TaskState.INPUT_REQUIRED, message, timestamp: '2026-01-02T03:04:05.678Z' },
  artifacts: [
    { artifactId: 'a1', name: 'report', parts: [{ text: 'one ' }, { text: 'two' }] },
    { artifactId: 'a2', parts: [{ data: { n: 1 } }, { raw: 'AAAA', filename: 'a.bin' }, { url: 'https://x.test/a' }] },
  ],
  history: [{ messageId: 'h', role: Role.USER, parts: [{ text: 'go' }] }],
};

const bare: Task = { id: 't2', status: { state: TaskState.WORKING } };

function thrownBy(check: () => unknown): AssertionError {
  try {
    check();
  } catch (error) {
    if (error instanceof AssertionError) return error;
    throw error;
  }
  throw new Error('Nothing was thrown');
}

describe('assertions', () => {
  it('let pass what is so', () => {
    expectState(task, TaskState.INPUT_REQUIRED);
    expectText(task, 'one two');
    expectText(task, /^one/g);
    expectText(message, 'Half way');
    expectText(bare, '');
    expectStatusText(task, 'Half way');
    expectStatusText(task, /WAY/i);
    expectHistory(task, ['go']);
    expectHistory(bare, []);
    expect(expectArtifact(task, {}).artifactId).toBe('a1');
    expect(expectArtifact(task, { name: 'report', text: /two$/ }).artifactId).toBe('a1');
    expect(expectArtifact(task, { artifactId: 'a2', parts: task.artifacts?.[1]?.parts }).artifactId).toBe('a2');
    expect(textOf({ artifactId: 'a', parts: message.parts })).toBe('Half way');
  });

  it.each<[string, () => unknown, RegExp, unknown, unknown]>([
    [
      'expectState',
      () => expectState(task, TaskState.COMPLETED),
      /is TASK_STATE_INPUT_REQUIRED, not TASK_STATE_COMPLETED/,
      TaskState.INPUT_REQUIRED,
      TaskState.COMPLETED,
    ],
    ['expectText', () => expectText(task, 'one'), /text is "one two", not "one"/, 'one two', 'one'],
    ['expectText', () => expectText(task, /three/), /"one two", which does not match \/three\//, 'one two', /three/],
    ['expectStatusText', () => expectStatusText(task, 'Half'), /says "Half way", not "Half"/, 'Half way', 'Half'],
    ['expectHistory', () => expectHistory(task, []), /history is \["go"\], not \[\]/, ['go'], []],
    [
      'expectArtifact',
      () => expectArtifact(task, { name: 'report', text: /x/ }),
      /no artifact with name "report", text \/x\//,
      task.artifacts,
      { name: 'report', text: /x/ },
    ],
  ])('%s throws an AssertionError that shows the task', (name, check, text, actual, expected) => {
    const error = thrownBy(check);
    expect(error.message).toMatch(text);
    expect(error.message).toContain(`\n\n${describeTask(task)}`);
    expect(error).toMatchObject({ actual, expected, operator: name, code: 'ERR_ASSERTION' });
    // The line that asserts comes first, not one of ours.
    expect(error.stack?.split('\n').find((line) => line.trimStart().startsWith('at '))).toMatch(/spec/);
  });

  it.each([
    [
      'a status without a message',
      () => expectStatusText(bare, ''),
      'The status says nothing\n\ntask t2\n  TASK_STATE_WORKING',
    ],
    ['no artifact at all', () => expectArtifact(bare, {}), 'no artifact with anything in it'],
    ['a message', () => expectText(message, 'x'), 'not "x"\n\nROLE_AGENT: "Half " + data 1 + "way"'],
  ])('tell of %s', (_name, check, text) => {
    expect(thrownBy(check).message).toContain(text);
  });

  it('show a task in lines', () => {
    expect(describeTask(task)).toBe(
      [
        'task t1',
        '  TASK_STATE_INPUT_REQUIRED: "Half " + data 1 + "way"',
        '  artifact report: "one " + "two"',
        '  artifact a2: data {"n":1} + a.bin (4 base64 characters) + file at https://x.test/a',
        '  history ROLE_USER: "go"',
      ].join('\n'),
    );
    const long = { ...bare, artifacts: [{ artifactId: 'l', parts: [{ text: 'x'.repeat(9_999) }] }] };
    expect(describeTask(long).length).toBeLessThan(300);
  });
});
