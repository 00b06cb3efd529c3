import { describe, expect, it, jest } from '@jest/globals';
import { FailedLoginsLimit } from './failed-logins.limit.js';
import { FailedLoginsLog } from './failed-logins.log.js';

const schemes = [{ name: 'apiKey', reason: 'unknown key' }];

describe('FailedLoginsLimit', () => {
  it('makes an address wait for the rest of the minute, and no other', () => {
    let now = 0;
    const limit = new FailedLoginsLimit(2, () => now);
    limit.count('192.0.2.1');
    expect(limit.waitOf('192.0.2.1')).toBe(0);
    now = 20_000;
    limit.count('192.0.2.1');
    expect([limit.waitOf('192.0.2.1'), limit.waitOf('192.0.2.2')]).toEqual([40, 0]);
    now = 60_000;
    expect(limit.waitOf('192.0.2.1')).toBe(0);
    limit.count('192.0.2.1');
    expect(limit.waitOf('192.0.2.1')).toBe(0);
  });

  it.each([
    ['2001:db8::1', '2001:db8::ffff', true],
    ['2001:db8:0:0:1::', '2001:0db8:0000:0:ffff:1:2:3', true],
    ['2001:db8:0:1::1', '2001:db8::1', false],
    ['fe80::1%eth0', 'fe80::2%eth1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::ffff:c000:201', true],
    ['::ffff:c000:201', '::ffff:c000:202', false],
    ['192.0.2.1:4711', '192.0.2.1:4712', true],
    ['[2001:db8::1]:4711', '2001:db8::2', true],
    ['_one', '_two', false],
    ['unknown', 'unknown', true],
  ])('takes %s and %s for one caller: %s', (first, second, one) => {
    const limit = new FailedLoginsLimit(1, () => 0);
    limit.count(first);
    expect(limit.waitOf(second) > 0).toBe(one);
  });

  it('keeps nothing of the length of an address, which a proxy that is trusted may choose', () => {
    const limit = new FailedLoginsLimit(1, () => 0);
    const long = 'x'.repeat(10_000);
    limit.count(long);
    expect([limit.waitOf(long), limit.waitOf(`${long}x`)]).toEqual([60, 0]);
    const kept: Map<string, unknown> = Reflect.get(limit, 'windows');
    expect([...kept.keys()].every((name) => name.length < 50)).toBe(true);
  });

  it('never knows more than 10,000 addresses, and drops the oldest', () => {
    const limit = new FailedLoginsLimit(1, () => 0);
    for (let n = 0; n < 10_050; n++) limit.count(`10.0.${n >> 8}.${n & 255}`);
    expect(limit.size).toBe(10_000);
    expect([limit.waitOf('10.0.0.0'), limit.waitOf('10.0.39.65')]).toEqual([0, 60]);
  });
});

describe('FailedLoginsLog', () => {
  it('writes ten lines a minute, and how many it has left out', () => {
    let now = 0;
    const warn = jest.fn();
    const log = new FailedLoginsLog({ warn }, () => now);
    for (let n = 0; n < 25; n++) log.note({ address: '192.0.2.1', schemes });
    expect(warn).toHaveBeenCalledTimes(10);
    expect(warn).toHaveBeenLastCalledWith('Failed login from 192.0.2.1: apiKey (unknown key)');
    now = 60_000;
    log.note({ address: '192.0.2.1', schemes });
    expect(warn.mock.calls.slice(10)).toEqual([
      ['15 more failed logins were not written here'],
      ['Failed login from 192.0.2.1: apiKey (unknown key)'],
    ]);
  });

  it('writes nothing of an address that none has', () => {
    const warn = jest.fn();
    new FailedLoginsLog({ warn }).note({ address: `a\r\nERROR b${'x'.repeat(100)}`, schemes });
    expect(warn.mock.calls).toEqual([[`Failed login from aERRORb${'x'.repeat(57)}: apiKey (unknown key)`]]);
  });
});
