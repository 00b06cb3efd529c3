import { describe, expect, it } from '@jest/globals';
import { Role, TaskState } from 'nestjs-a2a/protocol';
import { TaskRecord, taskKeyString, type TaskRecordData } from './task-record.js';
import { TaskSnapshot } from './task-snapshot.js';

const KEY = { agent: '/recipes', tenant: 'acme', id: 't' };

function snapshot(): TaskSnapshot {
  const message = { messageId: 'u1', role: Role.USER, parts: [{ data: { a: [1, null, 'ü'] } }] };
  return TaskSnapshot.first('t', 'c', message, { state: TaskState.SUBMITTED, at: 1_700_000_000_123, bytes: 5 })
    .withStatus({
      state: TaskState.INPUT_REQUIRED,
      message: { messageId: 's1', role: Role.AGENT, parts: [{ text: 'which?' }] },
      at: 1_700_000_000_456,
      bytes: 6,
    })
    .withMessage({ messageId: 'u2', role: Role.USER, parts: [{ text: 'this' }] }, 4)
    .withArtifact({ artifact: { artifactId: 'a', name: 'N', parts: [{ text: 'x' }] }, append: false, bytes: 1 })
    .withArtifact({ artifact: { artifactId: 'a', parts: [{ text: 'y' }] }, append: true, bytes: 1 });
}

describe('TaskRecord', () => {
  it('comes back from JSON as it was, and goes on as it would have', () => {
    const record = new TaskRecord(KEY, 'ann', 3, 1_700_000_000_000, snapshot());
    const data: TaskRecordData = JSON.parse(JSON.stringify(record.toData()));
    const restored = TaskRecord.restore(data);
    expect(restored.toData()).toEqual(record.toData());
    for (const name of [
      'key',
      'owner',
      'version',
      'createdAt',
      'statusMillis',
      'sequence',
      'bytes',
      'contextId',
      'state',
    ] as const) {
      expect(restored[name]).toEqual(record[name]);
    }
    const change = { state: TaskState.COMPLETED, at: 1_700_000_001_000, bytes: 0 };
    expect(restored.snapshot.withStatus(change).toTask()).toEqual(record.snapshot.withStatus(change).toTask());
  });

  it('counts versions, and keeps who made it and when', () => {
    const record = new TaskRecord(KEY, 'ann', 1, 7, snapshot());
    const other = snapshot();
    const next = record.next(other);
    expect([next.version, next.owner, next.createdAt, next.key, next.snapshot]).toEqual([2, 'ann', 7, KEY, other]);
    expect(record.version).toBe(1);
  });
});

describe('taskKeyString', () => {
  it('is different for different keys, whatever is in them', () => {
    const parts = ['', 'a', '"', ',', '","', '["a"]', '\\'];
    const keys = parts.flatMap((agent) => parts.flatMap((tenant) => parts.map((id) => ({ agent, tenant, id }))));
    expect(new Set(keys.map(taskKeyString)).size).toBe(keys.length);
  });
});
