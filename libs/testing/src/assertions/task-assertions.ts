import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Artifact, Message, Part, Task, TaskState } from 'nestjs-a2a/protocol';
import { textOfParts } from './stream-event.js';
import { describeMessage, describeTask } from './task-description.js';

/**
 * Which artifact is meant, and what it must hold.
 *
 * @publicApi
 */
export interface ExpectedArtifact {
  readonly artifactId?: string;
  readonly name?: string;
  /** The text of its parts, joined. */
  readonly text?: string | RegExp;
  readonly parts?: readonly Part[];
}

interface Failure {
  readonly what: string;
  readonly actual: unknown;
  readonly expected: unknown;
  readonly subject: Task | Message;
  readonly assertion: (...args: never[]) => unknown;
}

/**
 * The text of a task's artifacts, of a message or of an artifact: all text parts, joined.
 *
 * @publicApi
 */
export function textOf(subject: Task | Message | Artifact): string {
  if ('parts' in subject) return textOfParts(subject.parts);
  return (subject.artifacts ?? []).map(({ parts }) => textOfParts(parts)).join('');
}

/**
 * The task must be in this state.
 *
 * @throws AssertionError that shows the task
 * @publicApi
 */
export function expectState(task: Task, expected: TaskState): void {
  const actual = task.status.state;
  if (actual === expected) return;
  fail({ what: `The task is ${actual}, not ${expected}`, actual, expected, subject: task, assertion: expectState });
}

/**
 * The text of the task's artifacts, or of the message, must be this one or match.
 *
 * @throws AssertionError that shows the task or message
 * @publicApi
 */
export function expectText(subject: Task | Message, expected: string | RegExp): void {
  const actual = textOf(subject);
  if (fits(actual, expected)) return;
  fail({ what: `The text is ${unlike(actual, expected)}`, actual, expected, subject, assertion: expectText });
}

/**
 * What the agent says of the task's state must be this text or match.
 *
 * @throws AssertionError that shows the task
 * @publicApi
 */
export function expectStatusText(task: Task, expected: string | RegExp): void {
  const { message } = task.status;
  const actual = message && textOfParts(message.parts);
  if (actual !== undefined && fits(actual, expected)) return;
  const what = `The status says ${actual === undefined ? 'nothing' : unlike(actual, expected)}`;
  fail({ what, actual, expected, subject: task, assertion: expectStatusText });
}

/**
 * The task must have an artifact like this one.
 *
 * @returns the first that fits
 * @throws AssertionError that shows the task
 * @publicApi
 */
export function expectArtifact(task: Task, expected: ExpectedArtifact): Artifact {
  const found = (task.artifacts ?? []).find(
    (artifact) =>
      (expected.artifactId === undefined || artifact.artifactId === expected.artifactId) &&
      (expected.name === undefined || artifact.name === expected.name) &&
      (expected.text === undefined || fits(textOfParts(artifact.parts), expected.text)) &&
      (expected.parts === undefined || isDeepStrictEqual(artifact.parts, expected.parts)),
  );
  if (found) return found;
  const wanted = Object.entries(expected).map(([name, value]) => `${name} ${shown(value)}`);
  const what = `The task has no artifact with ${wanted.join(', ') || 'anything in it'}`;
  return fail({ what, actual: task.artifacts ?? [], expected, subject: task, assertion: expectArtifact });
}

/**
 * The messages of the task's history, without the current status message, must have these texts, oldest first.
 *
 * @throws AssertionError that shows the task
 * @publicApi
 */
export function expectHistory(task: Task, expected: readonly string[]): void {
  const actual = (task.history ?? []).map(textOf);
  if (isDeepStrictEqual(actual, [...expected])) return;
  const what = `The history is ${shown(actual)}, not ${shown(expected)}`;
  fail({ what, actual, expected, subject: task, assertion: expectHistory });
}

function fits(actual: string, expected: string | RegExp): boolean {
  // Unlike test(), search() does not go on where a sticky or global expression stopped.
  return typeof expected === 'string' ? actual === expected : actual.search(expected) >= 0;
}

function unlike(actual: string, expected: string | RegExp): string {
  return `${shown(actual)}, ${typeof expected === 'string' ? 'not' : 'which does not match'} ${shown(expected)}`;
}

function shown(value: unknown): string {
  return value instanceof RegExp ? String(value) : JSON.stringify(value);
}

function fail({ what, actual, expected, subject, assertion }: Failure): never {
  const whole = 'status' in subject ? describeTask(subject) : describeMessage(subject);
  throw new AssertionError({
    message: `${what}\n\n${whole}`,
    actual,
    expected,
    operator: assertion.name,
    stackStartFn: assertion,
  });
}
