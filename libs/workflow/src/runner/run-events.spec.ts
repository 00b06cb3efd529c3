import { describe, expect, it } from '@jest/globals';
import { RunEvents } from './run-events.js';

const MAX = 10_000;
const step = { executionId: 'e', step: 's' };
const update = { agent: 'X', event_kind: 'artifact', task_id: 't', artifact_id: 'a', artifact_name: '' } as const;

function typesAfter(updates: number, steps: number): string[] {
  const events = new RunEvents({ keep: true, onError: () => undefined });
  events.emit('start', { workflow: 'w', steps: 1 });
  for (let at = 0; at < updates; at += 1) {
    events.emit('agent_artifact_update', { ...update, append: true, last_chunk: false });
  }
  for (let at = 0; at < steps; at += 1) events.emit('step_start', step);
  return events.snapshot.map(({ type }) => type);
}

describe('the events that are kept for onFinish', () => {
  it.each<[string, number, number, object]>([
    ['all while they are few', 3, 2, { start: 1, agent_artifact_update: 3, step_start: 2 }],
    ['the newest updates', MAX + 5, 2, { start: 1, agent_artifact_update: MAX - 3, step_start: 2 }],
    ['the newest of all, when no updates are left', 3, MAX + 5, { step_start: MAX }],
  ])('are %s', (_, updates, steps, counts) => {
    const types = typesAfter(updates, steps);
    expect(
      Object.fromEntries([...new Set(types)].map((type) => [type, types.filter((t) => t === type).length])),
    ).toEqual(counts);
  });
});
