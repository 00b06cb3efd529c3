import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { PUSH_DEFAULTS, resolvePushSettings } from '../push/push-settings.js';
import { findPushFaults } from './push-options.validator.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('findPushFaults', () => {
  it.each([
    [undefined],
    [false],
    [{}],
    [{ timeoutMs: 1, jitter: 0, drainSeconds: 0, retryDelaysMs: [] }],
    [{ signing: { secret: SECRET } }],
    [{ signing: { secret: [SECRET, SECRET] } }],
    [{ allow: {} }],
    [{ allow: { hosts: ['a.example', '*.b.example'], cidrs: ['10.0.0.0/8', 'fd00::/8'], ports: [8080] } }],
    [{ allow: { allowHttp: true, onlyListed: true }, snapshotOnCreate: false }],
  ])('takes %j', (push) => {
    expect(findPushFaults(push, undefined)).toEqual([]);
  });

  it.each<[unknown, string]>([
    ['on', 'push'],
    [[], 'push'],
    [null, 'push'],
    [{ concurrency: 0 }, 'push.concurrency'],
    [{ timeoutMs: 0 }, 'push.timeoutMs'],
    [{ timeoutMs: '5' }, 'push.timeoutMs'],
    [{ retryDelaysMs: 5 }, 'push.retryDelaysMs'],
    [{ retryDelaysMs: [-1] }, 'push.retryDelaysMs'],
    [{ maxAttempts: 0 }, 'push.maxAttempts'],
    [{ jitter: 1.1 }, 'push.jitter'],
    [{ maxRetryAfterMs: -1 }, 'push.maxRetryAfterMs'],
    [{ disableAfterLostEvents: 0 }, 'push.disableAfterLostEvents'],
    [{ maxQueuedPerConfig: 0 }, 'push.maxQueuedPerConfig'],
    [{ maxQueuedTotal: 0 }, 'push.maxQueuedTotal'],
    [{ maxQueuedBytes: 0.5 }, 'push.maxQueuedBytes'],
    [{ drainSeconds: -1 }, 'push.drainSeconds'],
    [{ snapshotOnCreate: 'yes' }, 'push.snapshotOnCreate'],
    [{ timeOutMs: 5 }, 'push.timeOutMs'],
    [{ allow: true }, 'push.allow'],
    [{ allow: { host: [] } }, 'push.allow.host'],
    [{ allow: { hosts: 'a.example' } }, 'push.allow.hosts'],
    [{ allow: { ports: ['443'] } }, 'push.allow.ports'],
    [{ allow: { cidrs: ['10.0.0.0/99'] } }, 'push.allow'],
    [{ allow: { ports: [70_000] } }, 'push.allow'],
    [{ signing: 'x' }, 'push.signing'],
    [{ signing: {} }, 'push.signing.secret'],
    [{ signing: { secret: [] } }, 'push.signing.secret'],
  ])('refuses %j, and names %s', (push, option) => {
    const faults = findPushFaults(push, undefined);
    expect(faults.map((fault) => fault.option)).toEqual([option]);
    expect(faults[0]?.description).not.toBe('');
  });

  it('guesses the name that was meant', () => {
    expect(findPushFaults({ timeOutMs: 5 }, undefined)[0]?.description).toContain('did you mean timeoutMs?');
  });

  it('does not show a secret that is wrong', () => {
    const [fault] = findPushFaults({ signing: { secret: 'whsec_hunter2' } }, undefined);
    expect(fault).toEqual({
      option: 'push.signing.secret',
      description: 'something else was given; right is whsec_ and 24 to 64 bytes in base64, or several such secrets',
    });
  });

  it('wants a function for a validator', () => {
    expect(findPushFaults(undefined, () => true)).toEqual([]);
    expect(findPushFaults(undefined, 'https://a.example')[0]?.option).toBe('pushUrlValidator');
  });
});

describe('resolvePushSettings', () => {
  it('fills in what is not said', () => {
    expect(resolvePushSettings({})).toEqual(PUSH_DEFAULTS);
    expect(resolvePushSettings({ timeoutMs: undefined, concurrency: 3 })).toEqual({ ...PUSH_DEFAULTS, concurrency: 3 });
  });

  it('shows no secret', () => {
    const settings = resolvePushSettings({ signing: { secret: SECRET } });
    expect(settings.signer?.headers('id', '{}', 0)).toMatchObject({ 'webhook-timestamp': '0' });
    expect(inspect(settings, { depth: 9, showHidden: true }) + JSON.stringify(settings)).not.toContain(SECRET.slice(6));
  });
});
