import { describe, expect, it } from '@jest/globals';
import { nearName } from './near-name.js';
import { OPTION_NAMES } from './option-names.js';

describe('nearName', () => {
  it.each([
    ['agentTimeoutSecond', 'agentTimeoutSeconds'],
    ['agent_timeout_seconds', 'agentTimeoutSeconds'],
    ['path-prefix', 'pathPrefix'],
    ['PublicURL', 'publicUrl'],
    ['followUp', 'followUps'],
    ['jsonrpcPath', 'jsonRpcPath'],
    ['maxTask', 'maxTasks'],
    ['colour', undefined],
    ['x', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('%p: %p', (given, expected) => {
    expect(nearName(given, OPTION_NAMES)).toBe(expected);
  });
});
