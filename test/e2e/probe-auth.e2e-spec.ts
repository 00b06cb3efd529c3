import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ProbeModule } from '../probe-agent/probe.app.js';
import { probeOptions } from '../probe-agent/probe.options.js';
import { asUser, message, rpc } from '../support/a2a-calls.js';
import { at, send } from '../support/http-call.js';
import { start } from '../support/running-app.js';

const SECRET = { authorization: 'Bearer probe-secret' };
const KEY = { 'x-api-key': 'probe-secret' };

describe('the probe', () => {
  it.each<[string, [Record<string, string>, unknown][]]>([
    ['--auth none', [[{}, '']]],
    [
      '--users',
      [
        [{}, ''],
        [asUser('ann'), 'ann'],
        [SECRET, 401],
      ],
    ],
    [
      '--auth bearer',
      [
        [{}, 401],
        [asUser('ann'), 401],
        [SECRET, 'bearer'],
      ],
    ],
    [
      '--auth bearer --users',
      [
        [{}, 401],
        [asUser('ann'), 'ann'],
        [SECRET, 'bearer'],
      ],
    ],
    [
      '--auth apikey',
      [
        [{}, 401],
        [asUser('ann'), 401],
        [KEY, 'apiKey'],
      ],
    ],
    [
      '--auth apikey --users',
      [
        [asUser('ann'), 401],
        [KEY, 'apiKey'],
        [{ ...KEY, ...asUser('ann') }, 'ann'],
      ],
    ],
  ])('with %s', async (flags, calls) => {
    const { url, close } = await start('express', ProbeModule.with(probeOptions(flags.split(' '))));
    try {
      for (const [headers, expected] of calls) {
        const { status, body } = await send(url, rpc('SendMessage', message('whoami'), headers));
        const user = at(body, 'result.task.artifacts.0.parts.0.data.user');
        expect([headers, status === 200 ? user : status]).toEqual([headers, expected]);
      }
    } finally {
      await close();
    }
  });

  it('knows no other way', () => {
    expect(() => probeOptions(['--auth', 'basic'])).toThrow('--auth is none, bearer or apikey, not basic');
  });
});
