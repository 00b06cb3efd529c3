import { describe, expect, it } from '@jest/globals';
import { LoadPsop, Timeouts, WorkflowArgumentError } from 'nestjs-a2a/workflow';

describe('Timeouts', () => {
  it('are 30 seconds each', () => {
    expect(new LoadPsop.Timeouts()).toMatchObject({ connectTimeout: 30_000, readTimeout: 30_000, total: 60_000 });
    expect(new Timeouts(1, 2)).toMatchObject({ connectTimeout: 1, readTimeout: 2, total: 3 });
  });

  it('never are longer than a timer can be', () => {
    expect(new Timeouts(Infinity, Infinity).total).toBe(2 ** 31 - 1);
  });

  it.each<readonly [connect: number, read: number, message: string]>([
    [0, 1, 'connectTimeout must be positive'],
    [-1, 1, 'connectTimeout must be positive'],
    [NaN, 1, 'connectTimeout must be positive'],
    [0.9, 1, 'connectTimeout must be at least 1 millisecond'],
    [1, 0, 'readTimeout must be positive'],
    [1, -5, 'readTimeout must be positive'],
    [1, 0.1, 'readTimeout must be at least 1 millisecond'],
  ])('cannot be %p and %p', (connect, read, message) => {
    expect(() => new Timeouts(connect, read)).toThrow(new WorkflowArgumentError(message));
  });
});
