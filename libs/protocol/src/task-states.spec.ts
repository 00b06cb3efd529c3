import { describe, expect, it } from '@jest/globals';
import { canTransition, isInterrupted, isTerminal } from './task-states.js';
import { TaskState } from './types/enums.js';

const ALL = Object.values(TaskState);
const TERMINAL: TaskState[] = [TaskState.COMPLETED, TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED];

describe('task states', () => {
  it('have four ends and two pauses', () => {
    expect(ALL.filter(isTerminal)).toEqual(expect.arrayContaining(TERMINAL));
    expect(ALL.filter(isTerminal)).toHaveLength(4);
    expect(ALL.filter(isInterrupted)).toEqual([TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED]);
  });

  it('go everywhere but back to the start, unless they are ends', () => {
    for (const from of ALL) {
      for (const to of ALL) {
        const allowed = !TERMINAL.includes(from) && to !== TaskState.UNSPECIFIED && to !== TaskState.SUBMITTED;
        expect([from, to, canTransition(from, to)]).toEqual([from, to, allowed]);
      }
    }
  });

  it('go few ways when strict', () => {
    const ways = ALL.flatMap((from) =>
      ALL.filter((to) => canTransition(from, to, { strict: true })).map((to) =>
        `${from}>${to}`.replaceAll('TASK_STATE_', ''),
      ),
    );
    expect(ways.toSorted()).toEqual(
      [
        'UNSPECIFIED>SUBMITTED',
        ...['WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED', 'REJECTED', 'FAILED', 'CANCELED'].map(
          (to) => `SUBMITTED>${to}`,
        ),
        ...['INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED'].map((to) => `WORKING>${to}`),
        ...['WORKING', 'REJECTED', 'FAILED', 'CANCELED'].map((to) => `INPUT_REQUIRED>${to}`),
        ...['WORKING', 'REJECTED', 'FAILED', 'CANCELED'].map((to) => `AUTH_REQUIRED>${to}`),
      ].toSorted(),
    );
  });
});
