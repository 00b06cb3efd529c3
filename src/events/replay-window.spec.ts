import { describe, expect, it } from '@jest/globals';
import { TaskState } from 'nestjs-a2a/protocol';
import { ReplayWindow } from './replay-window.js';
import { TaskEvent } from './task-event.js';

function event(sequence: number, bytes = 10): TaskEvent {
  const message = { messageId: String(sequence), role: 'ROLE_AGENT' as const, parts: [] };
  return new TaskEvent(sequence, { message }, TaskState.WORKING, bytes);
}

function windowOf(sequences: readonly number[], maxEvents = 100, maxBytes = 100_000): ReplayWindow {
  const window = new ReplayWindow(maxEvents, maxBytes);
  for (const sequence of sequences) window.push(event(sequence));
  return window;
}

function held(window: ReplayWindow, after = 0): number[] {
  return window.since(after).map(({ sequence }) => sequence);
}

describe('ReplayWindow', () => {
  it.each([
    ['few', [1, 2, 3], 100, [1, 2, 3]],
    ['a later start', [41, 42, 43, 44, 45], 100, [41, 42, 43, 44, 45]],
    ['the last ones', [1, 2, 3, 4, 5, 6, 7, 8, 9], 3, [7, 8, 9]],
    ['only what came behind a gap', [1, 2, 3, 7, 8], 100, [7, 8]],
    ['nothing', [1, 2, 3], 0, []],
    ['one', [1, 2, 3], 1, [3]],
  ])('holds %s', (_name, pushed, maxEvents, expected) => {
    const window = windowOf(pushed, maxEvents);
    expect(held(window)).toEqual(expected);
    expect([window.length, window.bytes]).toEqual([expected.length, expected.length * 10]);
  });

  it('holds no more bytes than it may, and nothing after one event that is too large', () => {
    const window = new ReplayWindow(100, 35);
    for (let sequence = 1; sequence <= 9; sequence++) window.push(event(sequence));
    expect(held(window)).toEqual([7, 8, 9]);
    window.push(event(10, 36));
    expect([held(window), window.bytes]).toEqual([[], 0]);
    window.push(event(11));
    expect(held(window)).toEqual([11]);
  });

  it('goes round many times without losing order', () => {
    const window = new ReplayWindow(37, 100_000);
    for (let sequence = 1; sequence <= 5000; sequence++) {
      window.push(event(sequence));
      if (sequence % 501 === 0) expect(held(window, sequence - 3)).toEqual([sequence - 2, sequence - 1, sequence]);
    }
    expect(held(window)).toEqual(Array.from({ length: 37 }, (_, index) => 4964 + index));
  });

  it.each([
    [3, 9, false],
    [6, 9, true],
    [5, 9, false],
    [8, 9, true],
    [8, 10, false],
    [6, 7, true],
  ])('that holds 7 to 9 covers what follows %i up to %i: %s', (after, latest, expected) => {
    expect(windowOf([1, 2, 3, 4, 5, 6, 7, 8, 9], 3).covers(after, latest)).toBe(expected);
  });

  it('covers nothing when empty, cleared included', () => {
    const window = windowOf([1, 2]);
    window.clear();
    expect([window.covers(0, 1), window.covers(-1, 0), window.length, window.bytes]).toEqual([false, false, 0, 0]);
  });
});
