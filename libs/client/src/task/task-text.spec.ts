import { describe, expect, it } from '@jest/globals';
import { Role, TaskState, type Task } from 'nestjs-a2a/protocol';
import { A2ATaskFailedError, textOfAnswer } from './task-text.js';

const task = (state: TaskState, said?: string, ...results: string[]): Task => ({
  id: 't',
  status: {
    state,
    ...(said !== undefined && { message: { messageId: 'm', role: Role.AGENT, parts: [{ text: said }] } }),
  },
  artifacts: results.map((text, index) => ({ artifactId: `a${index}`, parts: [{ data: 1 }, { text }] })),
});

describe('textOfAnswer', () => {
  it.each<[string, Task, string]>([
    ['results', task(TaskState.COMPLETED, 'done', 'a', 'b'), 'ab'],
    ['what is said where there are none', task(TaskState.COMPLETED, 'done'), 'done'],
    ['nothing', task(TaskState.COMPLETED), ''],
    ['a question', task(TaskState.INPUT_REQUIRED, 'which?', 'a'), 'which?'],
    ['results where nothing is asked', task(TaskState.AUTH_REQUIRED, undefined, 'a'), 'a'],
  ])('%s', (_name, given, text) => {
    expect(textOfAnswer({ task: given })).toBe(text);
  });

  it.each([TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED])('%s is an error', (state) => {
    const failed = task(state, `no\r\n${'x'.repeat(5000)}`, 'a');
    const name = state.slice('TASK_STATE_'.length).toLowerCase();
    const error = expect.objectContaining({ code: 'TASK_FAILED', task: failed });
    expect(() => textOfAnswer({ task: failed })).toThrow(error);
    expect(new A2ATaskFailedError(failed).message).toMatch(new RegExp(`^The task ended as ${name}: no x{900,1000}$`));
    const cut = new A2ATaskFailedError(task(state, `a${'😀'.repeat(600)}`)).message;
    expect(cut).toMatch(new RegExp(`: a(😀){499}$`, 'u'));
    expect(new A2ATaskFailedError(task(state)).message).toBe(`The task ended as ${name}: no message`);
  });

  it('a message', () => {
    const message = {
      messageId: 'm',
      role: Role.AGENT,
      parts: [{ text: 'a' }, { url: 'https://a.example/' }, { text: 'b' }],
    };
    expect(textOfAnswer({ message })).toBe('ab');
  });
});
