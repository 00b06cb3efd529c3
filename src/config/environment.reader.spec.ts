import { describe, expect, it } from '@jest/globals';
import { a2aConfig } from './a2a.config.js';
import { readA2AEnvironment, unknownA2AVariables } from './environment.reader.js';
import { environmentVariableOf, OPTION_NAMES, VARIABLE_OPTIONS } from './option-names.js';

describe('readA2AEnvironment', () => {
  it.each([
    ['A2A_SERVER_ENABLED', 'false', { enabled: false }],
    ['A2A_SERVER_ENABLED', '0', { enabled: false }],
    ['A2A_SERVER_ENABLED', '1', { enabled: true }],
    ['A2A_SERVER_ENABLED', 'TRUE', { enabled: true }],
    ['A2A_SERVER_ENABLED', ' true ', { enabled: true }],
    ['A2A_SERVER_ENABLED', '', {}],
    ['A2A_SERVER_ENABLED', '  ', {}],
    ['A2A_SERVER_ENABLED', 'on', { enabled: 'on' }],
    ['A2A_SERVER_AGENT_CARD', 'file:card.json', { agentCard: 'file:card.json' }],
    ['A2A_SERVER_JSON_RPC_PATH', '/', { jsonRpcPath: '/' }],
    ['A2A_SERVER_AGENT_TIMEOUT_SECONDS', '0.5', { agentTimeoutSeconds: 0.5 }],
    ['A2A_SERVER_MAX_TASKS', '-1', { maxTasks: -1 }],
    ['A2A_SERVER_MAX_TASKS', '0x10', { maxTasks: '0x10' }],
    ['A2A_SERVER_MAX_TASKS', '1e3', { maxTasks: '1e3' }],
    ['A2A_SERVER_MAX_TASKS', '10 000', { maxTasks: '10 000' }],
    ['A2A_SERVER_SPEC_REVISION', '1.0.0', { specRevision: '1.0.0' }],
    ['A2A_SERVER_COLOUR', 'red', {}],
    ['MAX_TASKS', '1', {}],
  ])('%s=%p', (variable, text, expected) => {
    expect(readA2AEnvironment({ [variable]: text })).toEqual(expected);
  });

  it('has the variables of the documentation', () => {
    const variables = [
      'ENABLED AGENT_CARD PATH_PREFIX JSON_RPC_PATH PUBLIC_URL SLASH_ACTION_ALIASES_ENABLED LEGACY_ALIASES AGENT_TIMEOUT_SECONDS',
      'MAX_RUN_SECONDS CONSUMPTION_TIMEOUT_SECONDS RECONCILIATION_TIMEOUT_SECONDS EXECUTOR_MAX_SIZE EXECUTOR_CORE_SIZE',
      'EXECUTOR_KEEP_ALIVE_SECONDS EXECUTOR_QUEUE_CAPACITY HEARTBEAT_INTERVAL_SECONDS MAX_REQUEST_BYTES',
      'TASK_CREATION_DELAY_MS HISTORY_MAX_RAW_BYTES MAX_TASKS TASK_TTL_SECONDS WAITING_TTL_SECONDS MAX_TASK_BYTES',
      'MAX_STORE_BYTES MAX_SUBSCRIBERS_PER_TASK MAX_READER_BUFFER_BYTES MAX_PUSH_CONFIGS_PER_TASK',
      'SHUTDOWN_TIMEOUT_SECONDS CANCEL_GRACE_SECONDS REPLAY_GRACE_SECONDS MAX_RUNS_PER_OWNER MAX_TASKS_PER_OWNER MAX_FAILED_LOGINS',
      'FOLLOW_UPS CLOSE_STREAM_ON_INPUT_REQUIRED CHECK_INPUT_MODES STRICT_TRANSITIONS SPEC_REVISION TENANT_ROUTES',
      'ANONYMOUS_LIST',
    ].flatMap((line) => line.split(' ').map((name) => `A2A_SERVER_${name}`));
    expect(VARIABLE_OPTIONS.map(environmentVariableOf).sort()).toEqual(variables.sort());
    expect(new Set(OPTION_NAMES).size).toBe(OPTION_NAMES.length);
  });
});

describe('unknownA2AVariables', () => {
  it('lists only what begins like ours and is not', () => {
    const env = {
      A2A_SERVER_ZOO: '1',
      A2A_SERVER_MAX_TASKS: '1',
      A2A_CLIENT_X: '1',
      A2A_SERVER_MAXTASKS: '',
      PATH: '',
    };
    expect(unknownA2AVariables(env)).toEqual(['A2A_SERVER_MAXTASKS', 'A2A_SERVER_ZOO']);
  });
});

describe('a2aConfig', () => {
  it('reads the process environment at the time it is asked', () => {
    const before = process.env['A2A_SERVER_MAX_TASKS'];
    process.env['A2A_SERVER_MAX_TASKS'] = '12';
    try {
      expect(a2aConfig()).toMatchObject({ maxTasks: 12 });
    } finally {
      if (before === undefined) delete process.env['A2A_SERVER_MAX_TASKS'];
      else process.env['A2A_SERVER_MAX_TASKS'] = before;
    }
  });

  it('is a provider for forRootAsync', () => {
    const provider = a2aConfig.asProvider();
    expect(provider.inject).toEqual([a2aConfig.KEY]);
    expect(provider.useFactory({ maxTasks: 3 })).toEqual({ maxTasks: 3 });
  });
});
