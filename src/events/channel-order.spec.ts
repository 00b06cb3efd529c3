import { describe, expect, it } from '@jest/globals';
import { ChannelOrder } from './channel-order.js';
import { ReplayWindow } from './replay-window.js';
import { TaskChannel } from './task-channel.js';

function channels(count: number): TaskChannel[] {
  return Array.from({ length: count }, (_, index) => {
    const key = { agent: '', tenant: '', id: String(index) };
    return new TaskChannel(key, new ReplayWindow(1, 1));
  });
}

function drained(order: ChannelOrder<TaskChannel>): string[] {
  const ids: string[] = [];
  for (let channel = order.first; channel; channel = order.first) {
    ids.push(channel.key.id);
    order.delete(channel);
  }
  return ids;
}

describe('ChannelOrder', () => {
  it('gives channels in the order in which they came, each once', () => {
    const order = new ChannelOrder<TaskChannel>();
    const [a, b, c] = channels(3);
    for (const channel of [b, a, b, c, a]) order.add(channel);
    expect(drained(order)).toEqual(['1', '0', '2']);
    expect(order.first).toBeUndefined();
  });

  it.each([
    ['first', 0, ['1', '2', '3']],
    ['middle', 1, ['0', '2', '3']],
    ['last', 2, ['0', '1', '3']],
  ])('goes on after the %s one left', (_name, index, expected) => {
    const order = new ChannelOrder<TaskChannel>();
    const all = channels(4);
    for (const channel of all.slice(0, 3)) order.add(channel);
    order.delete(all[index]);
    order.delete(all[index]);
    order.add(all[3]);
    expect(drained(order)).toEqual(expected);
  });

  it('has a channel in one order at a time', () => {
    const [first, second] = [new ChannelOrder<TaskChannel>(), new ChannelOrder<TaskChannel>()];
    const all = channels(4);
    for (const channel of all) first.add(channel);
    second.add(all[3]);
    second.add(all[1]);
    first.delete(all[1]);
    expect([drained(first), drained(second)]).toEqual([
      ['0', '2'],
      ['3', '1'],
    ]);
  });
});
