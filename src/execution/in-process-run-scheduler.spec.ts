import { describe, expect, it } from '@jest/globals';
import { Role, UnavailableError } from 'nestjs-a2a/protocol';
import { deferred, settledWithin } from './deferred.js';
import { InProcessRunScheduler } from './in-process-run-scheduler.js';
import { withLimit } from './limits.js';
import { MessageMailbox, type UnreadMessage } from './message-mailbox.js';
import { SerialQueue } from './serial-queue.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('InProcessRunScheduler', () => {
  function made(maxRunning: number, maxQueued: number, maxPerOwner = 0) {
    const scheduler = new InProcessRunScheduler({ maxRunning, maxQueued, maxPerOwner });
    const started: string[] = [];
    const add = (owner: string) => {
      const gate = deferred<void>();
      const run = (): Promise<void> => {
        started.push(owner);
        return gate.promise;
      };
      return { gate, scheduled: scheduler.schedule({ owner, run }) };
    };
    return { scheduler, started, add };
  }

  it('frees a slot however a job ends', async () => {
    const { scheduler, add } = made(2, 0);
    const [one, two] = [add('a'), add('b')];
    one.gate.resolve();
    two.gate.reject(new Error('the job is its own business'));
    await turn();
    expect(scheduler.gauges()).toEqual({ running: 0, queued: 0 });
  });

  it('takes a job out of the queue, once, and never one that has begun', async () => {
    const { scheduler, started, add } = made(1, 5);
    const [one, two] = [add('a'), add('b')];
    expect([one.scheduled.started, two.scheduled.started]).toEqual([true, false]);
    expect([one.scheduled.cancel(), two.scheduled.cancel(), two.scheduled.cancel()]).toEqual([false, true, true]);
    one.gate.resolve();
    await turn();
    expect(started).toEqual(['a']);
    expect(two.scheduled.started).toBe(false);
    expect(scheduler.gauges()).toEqual({ running: 0, queued: 0 });
  });

  it('refuses at once what it cannot hold, and holds nothing of it', () => {
    const { scheduler, add } = made(1, 1);
    add('a');
    add('b');
    expect(() => add('c')).toThrow(UnavailableError);
    expect(scheduler.gauges()).toEqual({ running: 1, queued: 1 });
  });

  it('an owner who has all its slots lets those behind go first', async () => {
    const { started, add } = made(3, 10, 1);
    const jobs = ['a', 'a', 'b', 'a', 'c', 'b'].map(add);
    expect(started).toEqual(['a', 'b', 'c']);
    jobs[2]?.gate.resolve();
    await turn();
    expect(started).toEqual(['a', 'b', 'c', 'b']);
    jobs[0]?.gate.resolve();
    await turn();
    expect(started).toEqual(['a', 'b', 'c', 'b', 'a']);
  });
});

describe('SerialQueue', () => {
  it('runs at once what nobody is before, and in order what somebody is', async () => {
    const queue = new SerialQueue();
    expect(queue.run(() => 'now')).toBe('now');
    const gate = deferred<void>();
    const order: number[] = [];
    const first = queue.run(async () => {
      await gate.promise;
      order.push(1);
    });
    const others = [2, 3].map((n) => queue.run(() => void order.push(n)));
    expect(queue.length).toBe(2);
    gate.resolve();
    await Promise.all([first, ...others]);
    expect(order).toEqual([1, 2, 3]);
    await turn();
    expect(queue.run(() => 'again')).toBe('again');
  });

  it('goes on behind what failed', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const next = queue.run(() => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
    expect(() =>
      queue.run(() => {
        throw new Error('at once');
      }),
    ).toThrow('at once');
    expect(queue.run(() => 'after')).toBe('after');
  });
});

describe('MessageMailbox', () => {
  const message = (messageId: string): UnreadMessage<() => void> => ({
    message: { messageId, role: Role.USER, parts: [{ text: messageId }] },
    launch: () => undefined,
  });

  it('gives what came before and after it was asked, and ends when it is closed', async () => {
    const mailbox = new MessageMailbox<() => void>();
    mailbox.push(message('a'));
    const read: string[] = [];
    const reading = (async () => {
      for await (const { messageId } of mailbox) read.push(messageId);
    })();
    await turn();
    mailbox.push(message('b'));
    mailbox.push(message('c'));
    mailbox.close();
    mailbox.push(message('too late'));
    await reading;
    expect(read).toEqual(['a', 'b', 'c']);
  });

  it('can be read on after a break, and gives back what was left unread', async () => {
    const mailbox = new MessageMailbox<() => void>();
    for (const id of ['a', 'b', 'c']) mailbox.push(message(id));
    for await (const { messageId } of mailbox) if (messageId === 'a') break;
    for await (const { messageId } of mailbox) if (messageId === 'b') break;
    expect(mailbox.takeUnread().map(({ message: { messageId } }) => messageId)).toEqual(['c']);
    expect(mailbox.takeUnread()).toEqual([]);
  });
});

describe('Limits of time', () => {
  it('withLimit gives what came in time, and throws otherwise; a later failure troubles nobody', async () => {
    expect(await withLimit(Promise.resolve(1), 1_000, 'It')).toBe(1);
    await expect(withLimit(Promise.reject(new Error('no')), 1_000, 'It')).rejects.toThrow('no');
    const late = deferred<void>();
    await expect(withLimit(late.promise, 1, 'It took too long')).rejects.toThrow('It took too long within 1 ms');
    late.reject(new Error('late'));
    await turn();
  });

  it('settledWithin tells whether it settled, fulfilled or not', async () => {
    expect(await settledWithin(Promise.resolve(), 1_000)).toBe(true);
    expect(await settledWithin(Promise.reject(new Error('no')), 1_000)).toBe(true);
    expect(await settledWithin(new Promise(() => undefined), 1)).toBe(false);
  });
});
