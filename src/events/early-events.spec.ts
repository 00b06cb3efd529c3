import { describe, expect, it } from '@jest/globals';
import { Role, TaskState } from 'nestjs-a2a/protocol';
import { Subject } from 'rxjs';
import { EarlyEvents } from './early-events.js';
import { TaskEvent } from './task-event.js';

const PAYLOAD = { message: { messageId: 'm', role: Role.AGENT, parts: [{ text: 'x' }] } };
const event = (sequence: number) => new TaskEvent(sequence, PAYLOAD, TaskState.WORKING, 1);

function make() {
  const source = new Subject<TaskEvent>();
  const early = new EarlyEvents(source);
  const seen: unknown[] = [];
  const read = () =>
    early.events.subscribe({
      next: ({ sequence }) => seen.push(sequence),
      error: (error: unknown) => seen.push(error),
      complete: () => seen.push('complete'),
    });
  return { source, early, seen, read };
}

describe('EarlyEvents', () => {
  it('gives a reader what came before it, then what comes, then the end', () => {
    const { source, seen, read } = make();
    source.next(event(1));
    source.next(event(2));
    read();
    source.next(event(3));
    source.complete();
    expect(seen).toEqual([1, 2, 3, 'complete']);
  });

  it.each([
    ['the end', (source: Subject<TaskEvent>) => source.complete(), 'complete'],
    ['the failure', (source: Subject<TaskEvent>) => source.error('lost'), 'lost'],
  ])('gives a reader who comes late %s as well', (_name, end, last) => {
    const { source, seen, read } = make();
    source.next(event(1));
    end(source);
    read();
    expect(seen).toEqual([1, last]);
  });

  it('keeps the order when a reader makes events come while older ones are handed out', () => {
    const { source, early } = make();
    source.next(event(1));
    source.next(event(2));
    const seen: number[] = [];
    early.events.subscribe(({ sequence }) => {
      seen.push(sequence);
      if (sequence === 1) source.next(event(3));
    });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('lets go of its source with its reader, or when it is closed', () => {
    const first = make();
    first.read().unsubscribe();
    const second = make();
    second.early.close();
    expect([first.source.observed, second.source.observed]).toEqual([false, false]);
  });

  it('gives up, and says so, when too much happens before anybody reads', () => {
    const { source, early } = make();
    for (let sequence = 1; sequence <= 4096; sequence++) source.next(event(sequence));
    expect([early.complete, source.observed]).toEqual([true, true]);
    source.next(event(4097));
    expect([early.complete, source.observed]).toEqual([false, false]);
  });
});
