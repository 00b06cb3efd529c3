import { describe, expect, it, jest } from '@jest/globals';
import { Role, TaskState, type Artifact, type Message, type Part, type Task } from 'nestjs-a2a/protocol';
import { AppendList } from './append-list.js';
import { OMITTED_RAW_KEY } from './raw-elision.js';
import { TaskSnapshot } from './task-snapshot.js';

const { SUBMITTED, WORKING, INPUT_REQUIRED, COMPLETED } = TaskState;

function message(messageId: string, role: Role = Role.USER, ...parts: Part[]): Message {
  return { messageId, role, parts: parts.length > 0 ? parts : [{ text: messageId }] };
}

function first(): TaskSnapshot {
  return TaskSnapshot.first('t', 'c', message('u1'), { state: SUBMITTED, at: 1000, bytes: 2 });
}

function withStatus(from: TaskSnapshot, state: TaskState, said?: string): TaskSnapshot {
  const change = { state, at: 2000, bytes: 1 };
  return from.withStatus(said === undefined ? change : { ...change, message: message(said, Role.AGENT) });
}

function chunk(text: string, artifactId = 'a'): { artifact: Artifact; append: boolean; bytes: number } {
  return { artifact: { artifactId, parts: [{ text }] }, append: true, bytes: text.length };
}

function historyIds(snapshot: TaskSnapshot): string[] {
  return (snapshot.toTask().history ?? []).map(({ messageId }) => messageId);
}

function texts(task: Task): string[][] {
  return (task.artifacts ?? []).map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '?')));
}

/** The array in which the parts of the first artifact lie. */
function heldParts(snapshot: TaskSnapshot): unknown {
  const entries: unknown = Reflect.get(snapshot, 'artifacts');
  const entry: unknown = Array.isArray(entries) ? entries[0] : undefined;
  if (typeof entry !== 'object' || entry === null || !('parts' in entry)) return undefined;
  return entry.parts instanceof AppendList ? Reflect.get(entry.parts, 'items') : undefined;
}

function frozen(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('TaskSnapshot', () => {
  it('starts with number 1 and the message that made the task', () => {
    const snapshot = first();
    expect(snapshot.sequence).toBe(1);
    expect(snapshot.toTask()).toEqual({
      id: 't',
      contextId: 'c',
      status: { state: SUBMITTED, timestamp: '1970-01-01T00:00:01.000Z' },
      history: [message('u1')],
    });
  });

  it('counts what an artifact took no longer when another one takes its place', () => {
    const replacing = { ...chunk('four'), append: false };
    const before = first().withArtifact(chunk('1234567')).withArtifact(chunk('89'));
    const after = before.withArtifact(replacing);
    expect([before.bytes, after.bytes, after.artifactBytes('a'), after.artifactBytes('none')]).toEqual([11, 6, 4, 0]);
  });

  it('counts events, not messages of the caller, and adds up bytes', () => {
    let snapshot = withStatus(first(), WORKING);
    snapshot = snapshot.withArtifact(chunk('abc'));
    snapshot = snapshot.withMessage(message('u2'), 10);
    expect([snapshot.sequence, snapshot.bytes, snapshot.historyLength]).toEqual([3, 2 + 1 + 3 + 10, 2]);
  });

  it.each(Object.values(TaskState))('knows whether %s is an end', (state) => {
    const ends: readonly TaskState[] = [COMPLETED, TaskState.FAILED, TaskState.CANCELED, TaskState.REJECTED];
    expect(withStatus(first(), state).ended).toBe(ends.includes(state));
  });

  describe('never changes', () => {
    it('whatever is made of it', () => {
      const steps: TaskSnapshot[] = [first()];
      const step = (change: (from: TaskSnapshot) => TaskSnapshot): void => {
        steps.push(change(steps[steps.length - 1]));
      };
      step((from) => withStatus(from, WORKING, 's1'));
      step((from) => from.withArtifact({ ...chunk('one'), append: false }));
      step((from) => from.withArtifact(chunk('two')));
      step((from) =>
        from.withArtifact({ artifact: { ...chunk('three').artifact, name: 'N' }, append: true, bytes: 5 }),
      );
      step((from) => from.withArtifact({ ...chunk('other', 'b'), append: false }));
      step((from) => from.withMessage(message('u2', Role.USER, { raw: 'A'.repeat(400) }), 400));
      step((from) => from.withArtifact({ ...chunk('replaced'), append: false }));
      step((from) => withStatus(from, COMPLETED, 's2'));
      step((from) => from.withoutLargeRaw(100));

      const before = steps.map((snapshot) => frozen(snapshot.toTask()));
      for (const snapshot of steps) {
        withStatus(snapshot, WORKING, 'x');
        snapshot.withArtifact(chunk('x')).withArtifact(chunk('y'));
        snapshot.withMessage(message('x'), 1).withMessage(message('y'), 1);
        snapshot.toPublicTask(1);
      }
      expect(steps.map((snapshot) => frozen(snapshot.toTask()))).toEqual(before);
      // The wire form is kept, so look at fresh ones as well.
      const restored = steps.map(({ sequence, statusMessageIndex, bytes }, at) =>
        TaskSnapshot.restore(steps[at].toTask(), sequence, statusMessageIndex, bytes).toTask(),
      );
      expect(restored.map(frozen)).toEqual(before);
    });

    it('also not before its wire form was asked for', () => {
      const one = first().withArtifact({ ...chunk('1'), append: false });
      const two = one.withArtifact(chunk('2'));
      const fork = one.withArtifact(chunk('fork'));
      two.withArtifact(chunk('3'));
      expect([one, two, fork].map((snapshot) => texts(snapshot.toTask()))).toEqual([
        [['1']],
        [['1', '2']],
        [['1', 'fork']],
      ]);
    });

    it('when the artifact that was given is changed later', () => {
      const given = { artifactId: 'a', parts: [{ text: 'kept' }] };
      const snapshot = first().withArtifact({ artifact: given, append: false, bytes: 1 });
      given.parts.push({ text: 'late' });
      expect(texts(snapshot.toTask())).toEqual([['kept']]);
    });
  });

  describe('shares what did not change', () => {
    it('copies and reads no older part when a chunk is appended', () => {
      const before = first().withArtifact({ ...chunk('0'), append: false });
      const kept = heldParts(before);
      const copied = jest.spyOn(Array.prototype, 'slice');
      const pushed = jest.spyOn(Array.prototype, 'push');
      let after = before;
      for (let n = 1; n <= 100; n++) after = after.withArtifact(chunk(String(n)));
      const counts = [copied.mock.calls.length, pushed.mock.contexts.filter((array) => array === kept).length];
      jest.restoreAllMocks();
      expect(counts).toEqual([0, 100]);
      expect(kept).toHaveLength(101);
      expect(heldParts(after)).toBe(kept);
      expect(texts(before.toTask())).toEqual([['0']]);
    });

    it('hands on the very parts, artifacts and messages', () => {
      const part = { text: 'x' };
      const before = withStatus(first(), WORKING, 's').withArtifact({
        artifact: { artifactId: 'a', parts: [part] },
        append: false,
        bytes: 1,
      });
      const after = before.withArtifact(chunk('y'));
      expect(after.toTask().artifacts?.[0].parts[0]).toBe(part);
      expect(after.toTask().status).toBe(before.toTask().status);
      expect(after.toTask().history?.[0]).toBe(before.toTask().history?.[0]);
    });

    it('takes linear time for a long stream', () => {
      const time = (chunks: number): number => {
        // Not by the clock: that goes on while other processes have the machine.
        const started = process.cpuUsage();
        let snapshot = first();
        for (let n = 0; n < chunks; n++) snapshot = snapshot.withArtifact(chunk('x'));
        expect(texts(snapshot.toTask())[0]).toHaveLength(chunks);
        const { user, system } = process.cpuUsage(started);
        return user + system;
      };
      time(20_000);
      const short = Math.min(time(20_000), time(20_000), time(20_000));
      const long = Math.min(time(80_000), time(80_000), time(80_000));
      // Linear is 4, quadratic 16.
      expect(long / short).toBeLessThan(10);
    });

    it('makes its wire form once', () => {
      const snapshot = first();
      expect(snapshot.toTask()).toBe(snapshot.toTask());
      expect(snapshot.toPublicTask(10)).toBe(snapshot.toTask());
    });
  });

  describe('artifacts', () => {
    it('appends, replaces, and keeps their order', () => {
      let snapshot = first();
      for (const [text, id, append] of [
        ['a1', 'a', false],
        ['b1', 'b', false],
        ['a2', 'a', true],
        ['b2', 'b', false],
        ['c1', 'c', true],
      ] as const) {
        snapshot = snapshot.withArtifact({ ...chunk(text, id), append });
      }
      expect(texts(snapshot.toTask())).toEqual([['a1', 'a2'], ['b2'], ['c1']]);
      expect(['a', 'b', 'c', 'd'].map((id) => snapshot.hasArtifact(id))).toEqual([true, true, true, false]);
    });

    it('takes what a chunk newly says of its artifact, and keeps the rest', () => {
      const named = { artifactId: 'a', name: 'Name', description: 'D', parts: [] };
      const snapshot = first()
        .withArtifact({ artifact: named, append: false, bytes: 0 })
        .withArtifact(chunk('x'))
        .withArtifact({ artifact: { ...chunk('y').artifact, name: 'New' }, append: true, bytes: 1 });
      expect(snapshot.toTask().artifacts).toEqual([
        { artifactId: 'a', name: 'New', description: 'D', parts: [{ text: 'x' }, { text: 'y' }] },
      ]);
    });
  });

  describe('history', () => {
    it('has the current status message only in the status', () => {
      const snapshot = withStatus(first(), WORKING, 's1');
      expect(historyIds(snapshot)).toEqual(['u1']);
      expect(snapshot.toTask().status.message?.messageId).toBe('s1');
    });

    it('takes each status message in when the next status comes, once', () => {
      let snapshot = withStatus(first(), WORKING, 's1');
      snapshot = withStatus(snapshot, WORKING, 's2');
      snapshot = withStatus(snapshot, WORKING);
      snapshot = withStatus(snapshot, COMPLETED, 's3');
      expect(historyIds(snapshot)).toEqual(['u1', 's1', 's2']);
      expect(snapshot.toTask().status.message?.messageId).toBe('s3');
    });

    it('puts a status message before what the user said after it', () => {
      let snapshot = withStatus(first(), INPUT_REQUIRED, 'which?');
      snapshot = snapshot.withMessage(message('this'), 1).withMessage(message('and that'), 1);
      expect(historyIds(snapshot)).toEqual(['u1', 'this', 'and that']);
      snapshot = withStatus(snapshot, WORKING, 'thanks');
      expect(historyIds(snapshot)).toEqual(['u1', 'which?', 'this', 'and that']);
      snapshot = withStatus(snapshot.withMessage(message('one more'), 1), COMPLETED);
      expect(historyIds(snapshot)).toEqual(['u1', 'which?', 'this', 'and that', 'thanks', 'one more']);
    });

    it('keeps that order through a restore in between', () => {
      const asked = withStatus(first(), INPUT_REQUIRED, 'which?').withMessage(message('this'), 1);
      const restored = TaskSnapshot.restore(asked.toTask(), asked.sequence, asked.statusMessageIndex, asked.bytes);
      expect(historyIds(withStatus(restored, WORKING))).toEqual(['u1', 'which?', 'this']);
    });

    it('is not changed by a chunk', () => {
      const asked = withStatus(first(), WORKING, 's1').withArtifact(chunk('x'));
      expect(historyIds(asked)).toEqual(['u1']);
    });
  });

  describe('large files', () => {
    const raw = Buffer.alloc(300, 1).toString('base64');
    const withFile = (): TaskSnapshot =>
      withStatus(first(), WORKING).withMessage(message('file', Role.USER, { raw }), 400);

    it('are left out for callers, while the task still has them', () => {
      const snapshot = withFile();
      expect(snapshot.toPublicTask(100).history?.[1].parts[0]).toMatchObject({
        raw: '',
        metadata: { [OMITTED_RAW_KEY]: { bytes: 300 } },
      });
      expect(snapshot.toTask().history?.[1].parts[0]).toEqual({ raw });
      expect(snapshot.toPublicTask(100)).toBe(snapshot.toPublicTask(100));
    });

    it('leave an ended task, with their bytes', () => {
      const snapshot = withStatus(withFile(), COMPLETED);
      const short = snapshot.withoutLargeRaw(100);
      expect(short.toTask()).toEqual(snapshot.toPublicTask(100));
      expect(short.bytes).toBe(snapshot.bytes - raw.length);
      expect(short.sequence).toBe(snapshot.sequence);
      expect(short.withoutLargeRaw(100)).toBe(short);
    });

    it('are not looked for where there are none', () => {
      const snapshot = withStatus(first(), COMPLETED);
      expect(snapshot.withoutLargeRaw(100)).toBe(snapshot);
    });

    it('stay in artifacts', () => {
      const artifact = { artifactId: 'a', parts: [{ raw }] };
      const snapshot = first().withArtifact({ artifact, append: false, bytes: 1 });
      expect(snapshot.withoutLargeRaw(100).toPublicTask(100).artifacts?.[0].parts).toEqual([{ raw }]);
    });
  });
});
