import { expect, it } from '@jest/globals';
import { logicalTaskId } from './task-id.js';

it('is the same for one place in one run, in every edition of the engine', () => {
  expect(logicalTaskId('11111111-2222-3333-4444-555555555555', 's1', 0)).toBe('f649ec24-b3b7-3574-a7f2-31f3ffb05e2f');
});
