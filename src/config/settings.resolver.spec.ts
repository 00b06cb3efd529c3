import { describe, expect, it } from '@jest/globals';
import type { A2AModuleOptions } from '../a2a.options.js';
import { A2AConfigurationError } from './a2a-configuration.error.js';
import { A2A_DEFAULTS } from './a2a-defaults.js';
import { readA2AEnvironment } from './environment.reader.js';
import { environmentVariableOf, OPTION_NAMES, type OptionName, VARIABLE_OPTIONS } from './option-names.js';
import { resolveA2ASettings } from './settings.resolver.js';

function failureOf(act: () => unknown): A2AConfigurationError {
  try {
    act();
  } catch (error) {
    if (error instanceof A2AConfigurationError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const SWITCH = { good: [true, false], bad: ['yes', 1, null] };
const TIMER = { good: [0, 0.5, 30, 2_147_483], bad: [-1, Number.NaN, Infinity, 2_147_484, '30'] };
const AGE = { good: [0, 0.5, 31_536_000], bad: [-1, Number.NaN, Infinity, '1'] };
const COUNT = { good: [0, 1, 5], bad: [-1, 1.5, Number.NaN, Infinity, '1', null] };
const COUNT_FROM_ONE = { good: [1, 5], bad: [0, -1, 1.5, Infinity, '1'] };

const VALUES: Record<OptionName, { good: unknown[]; bad: unknown[] }> = {
  enabled: SWITCH,
  agentCard: { good: ['card.json', 'file:card.json', { name: 'A' }], bad: ['', ' ', 7, ['card.json'], null] },
  pathPrefix: {
    good: ['/', '/a', '/a/', '/a/b-c_d.e~f', '/.hidden'],
    bad: ['a', '', '//', '/a//b', '/a?b', '/a#b', '/a:b', '/*', '/{a}', '/(a)', '/a b', '/a/../b', '/ä', 7],
  },
  jsonRpcPath: { good: ['/', '/rpc', '/rpc/'], bad: ['rpc', '', '//', '/rpc?x', '/rpc:x', '/r*', '/{r}'] },
  publicUrl: {
    good: ['https://a.example', 'http://localhost:3000/', 'https://a.example/base/', 'http://[::1]:3000'],
    bad: [
      'a.example',
      '/a',
      'ftp://a.example',
      'https://',
      'https:a.example',
      'https://u:p@a.example',
      'https://a.example?x',
      'https://a.example#x',
      'https://a b',
      7,
    ],
  },
  slashActionAliasesEnabled: SWITCH,
  legacyAliases: SWITCH,
  agentTimeoutSeconds: TIMER,
  maxRunSeconds: TIMER,
  consumptionTimeoutSeconds: { good: [0.1, 5], bad: [0, -1, '5'] },
  reconciliationTimeoutSeconds: TIMER,
  executorMaxSize: COUNT_FROM_ONE,
  executorCoreSize: COUNT,
  executorKeepAliveSeconds: AGE,
  executorQueueCapacity: COUNT,
  heartbeatIntervalSeconds: TIMER,
  maxRequestBytes: COUNT_FROM_ONE,
  taskCreationDelayMs: { good: [0, 100, 2_147_483_647], bad: [-1, 2_147_483_648, Number.NaN] },
  historyMaxRawBytes: COUNT,
  maxTasks: COUNT_FROM_ONE,
  taskTtlSeconds: AGE,
  waitingTtlSeconds: AGE,
  maxTaskBytes: COUNT_FROM_ONE,
  maxStoreBytes: COUNT_FROM_ONE,
  maxSubscribersPerTask: COUNT_FROM_ONE,
  maxReaderBufferBytes: COUNT_FROM_ONE,
  maxPushConfigsPerTask: COUNT_FROM_ONE,
  shutdownTimeoutSeconds: TIMER,
  cancelGraceSeconds: TIMER,
  replayGraceSeconds: TIMER,
  maxRunsPerOwner: COUNT,
  maxTasksPerOwner: COUNT,
  maxFailedLogins: COUNT,
  followUps: { good: ['reject', 'queue', 'steer'], bad: ['Reject', '', 'drop', 1] },
  closeStreamOnInputRequired: SWITCH,
  checkInputModes: SWITCH,
  strictTransitions: SWITCH,
  specRevision: { good: ['1.0.0', '1.0.1'], bad: ['1.0', '0.3', 1] },
  tenantRoutes: SWITCH,
  anonymousList: { good: ['all', 'context'], bad: ['none', true] },
  push: { good: [false, {}, { timeoutMs: 5 }], bad: ['on', 1, null, []] },
  pushUrlValidator: { good: [() => true], bad: ['https://a.example', null, true] },
  // What is in it is tried with its reader.
  cardSigning: { good: [undefined], bad: ['key', null, true, []] },
};

/** Wrongly typed on purpose: plain JavaScript hosts have no compiler to hold them. */
function given(option: string, value: unknown): A2AModuleOptions {
  return Object.assign({}, { [option]: value });
}

describe('resolveA2ASettings', () => {
  it('knows every option', () => {
    expect([...OPTION_NAMES].sort()).toEqual(Object.keys(VALUES).sort());
  });

  it('has a default for every option', () => {
    const settings = resolveA2ASettings({}, {});
    expect(settings).toEqual({ ...A2A_DEFAULTS, publicUrl: undefined, anonymousList: 'all' });
    expect(Object.isFrozen(settings)).toBe(true);
    const without = OPTION_NAMES.filter((option) => !(option in settings));
    expect(without).toEqual(['executorCoreSize', 'executorKeepAliveSeconds']);
  });

  describe.each(OPTION_NAMES.map((option) => ({ option, ...VALUES[option] })))('$option', ({ option, good, bad }) => {
    it.each(good)('takes %p', (value) => {
      expect(() => resolveA2ASettings(given(option, value), {})).not.toThrow();
    });

    it.each(bad)('refuses %p, and names itself', (value) => {
      const error = failureOf(() => resolveA2ASettings(given(option, value), {}));
      expect(error.faults).toHaveLength(1);
      expect(error.faults[0]).toMatchObject({ option });
      expect(error.faults[0]?.variable).toBeUndefined();
      expect(error.message).toContain(`- ${option}: `);
      expect(error.message).toContain('right is');
    });

    it('says which environment variable was wrong', () => {
      const variable = environmentVariableOf(option);
      if (option === 'agentCard' || !VARIABLE_OPTIONS.includes(option)) return;
      const error = failureOf(() => resolveA2ASettings({}, readA2AEnvironment({ [variable]: '§' })));
      expect(error.faults).toEqual([
        { option, variable, description: expect.stringContaining('"§" was given; right is') },
      ]);
    });
  });

  it('names all faults of both sources in one message', () => {
    const environment = readA2AEnvironment({
      A2A_SERVER_ENABLED: 'maybe',
      A2A_SERVER_MAX_TASKS: '0',
      A2A_SERVER_HEARTBEAT_INTERVAL_SECONDS: 'soon',
      A2A_SERVER_PUBLIC_URL: 'https://admin:hunter2@agent.example.com/?key=s3cret',
      A2A_SERVER_FOLLOW_UPS: 'wait',
    });
    const options = { ...given('pathPrefix', 'a2a'), ...given('agent-timeout-seconds', 5), ...given('colour', 'red') };
    const error = failureOf(() => resolveA2ASettings(options, environment));
    expect(error.code).toBe('A2A_CONFIGURATION');
    expect(error.name).toBe('A2AConfigurationError');
    expect(error.message).toBe(
      `A2A cannot start, 8 settings are wrong:
  - publicUrl (environment variable A2A_SERVER_PUBLIC_URL): "https://***@agent.example.com/?***" was given; right is an absolute http or https URL without credentials, query and fragment, e.g. https://agent.example.com
  - enabled (environment variable A2A_SERVER_ENABLED): "maybe" was given; right is true or false
  - heartbeatIntervalSeconds (environment variable A2A_SERVER_HEARTBEAT_INTERVAL_SECONDS): "soon" was given; right is a number of seconds, 0 or more, at most 2147483
  - maxTasks (environment variable A2A_SERVER_MAX_TASKS): 0 was given; right is a whole number, 1 or more
  - followUps (environment variable A2A_SERVER_FOLLOW_UPS): "wait" was given; right is one of reject, queue, steer
  - pathPrefix: "a2a" was given; right is a path that begins with '/', its segments made of letters, digits and -._~
  - agent-timeout-seconds: there is no such option; did you mean agentTimeoutSeconds?
  - colour: there is no such option`,
    );
  });

  it('speaks of one fault in the singular', () => {
    const error = failureOf(() => resolveA2ASettings({ maxTasks: 0 }, {}));
    expect(error.message).toBe(
      'A2A cannot start, one setting is wrong:\n  - maxTasks: 0 was given; right is a whole number, 1 or more',
    );
  });

  it('tells a fault once when the options were made of the environment', () => {
    const environment = readA2AEnvironment({ A2A_SERVER_MAX_TASKS: 'many' });
    const error = failureOf(() => resolveA2ASettings(environment, environment));
    expect(error.faults).toHaveLength(1);
    expect(error.faults[0]?.variable).toBe('A2A_SERVER_MAX_TASKS');
  });

  it('prefers options to the environment and the environment to the defaults', () => {
    const settings = resolveA2ASettings(
      { maxTasks: 1, heartbeatIntervalSeconds: undefined, enabled: true },
      { maxTasks: 2, heartbeatIntervalSeconds: 7, enabled: false },
    );
    expect(settings).toMatchObject({
      maxTasks: 1,
      heartbeatIntervalSeconds: 7,
      maxTaskBytes: 16_777_216,
      enabled: true,
    });
  });

  it('keeps a card object as it is', () => {
    const agentCard = { name: 'Recipes' };
    expect(resolveA2ASettings({ agentCard }, { agentCard: 'other.json' }).agentCard).toBe(agentCard);
  });

  it.each([
    [{}, 'all'],
    [{ publicUrl: 'https://a.example' }, 'context'],
    [{ publicUrl: 'https://a.example', anonymousList: 'all' }, 'all'],
    [{ anonymousList: 'context' }, 'context'],
  ] satisfies [A2AModuleOptions, string][])('%j: anonymous callers list %s', (options, expected) => {
    expect(resolveA2ASettings(options, {}).anonymousList).toBe(expected);
  });

  it.each([
    ['/', '/'],
    ['/rpc/', '/rpc'],
    ['/a/b', '/a/b'],
  ])('jsonRpcPath %p becomes %p', (jsonRpcPath, expected) => {
    expect(resolveA2ASettings({ jsonRpcPath }, {}).jsonRpcPath).toBe(expected);
  });

  it.each([
    ['https://a.example/', 'https://a.example'],
    ['HTTPS://A.example:443/Base/', 'https://a.example/Base'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
  ])('publicUrl %p becomes %p', (publicUrl, expected) => {
    expect(resolveA2ASettings({ publicUrl }, {}).publicUrl).toBe(expected);
  });

  it.each(['/tasks/send', '/Message/Send/', '/.well-known/agent.json'])(
    'refuses jsonRpcPath %p together with legacyAliases',
    (jsonRpcPath) => {
      const error = failureOf(() => resolveA2ASettings({ jsonRpcPath, legacyAliases: true }, {}));
      expect(error.faults).toEqual([
        { option: 'jsonRpcPath', description: expect.stringContaining('a path of legacyAliases') },
      ]);
      expect(resolveA2ASettings({ jsonRpcPath }, {}).legacyAliases).toBe(false);
    },
  );

  it.each([
    ['/same', '/same/'],
    ['/Same', '/same'],
  ])('refuses pathPrefix %p together with jsonRpcPath %p', (pathPrefix, jsonRpcPath) => {
    const error = failureOf(() => resolveA2ASettings({ pathPrefix }, { jsonRpcPath }));
    expect(error.faults).toEqual([
      { option: 'jsonRpcPath', description: expect.stringContaining('pathPrefix as well') },
    ]);
  });
});
