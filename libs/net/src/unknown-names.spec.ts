import { describe, expect, it } from '@jest/globals';
import { nearName } from './near-name.js';
import { unknownNames } from './unknown-names.js';

const NAMES = [
  'agentTimeoutSeconds',
  'pathPrefix',
  'publicUrl',
  'followUps',
  'jsonRpcPath',
  'maxTasks',
  'maxTaskBytes',
  'network',
];

describe('nearName', () => {
  it.each([
    ['agentTimeoutSecond', 'agentTimeoutSeconds'],
    ['agent_timeout_seconds', 'agentTimeoutSeconds'],
    ['path-prefix', 'pathPrefix'],
    ['PublicURL', 'publicUrl'],
    ['followUp', 'followUps'],
    ['jsonrpcPath', 'jsonRpcPath'],
    ['maxTask', 'maxTasks'],
    ['netwrok', 'network'],
    ['colour', undefined],
    ['x', undefined],
    ['', undefined],
    ['x'.repeat(1000), undefined],
  ])('%p: %p', (given, expected) => {
    expect(nearName(given, NAMES)).toBe(expected);
  });
});

describe('unknownNames', () => {
  it('tells what there is not, and what was probably meant', () => {
    expect(unknownNames({ network: 1, netwrok: undefined, colour: 2 }, NAMES)).toEqual([
      { name: 'netwrok', description: 'there is no such option; did you mean network?' },
      { name: 'colour', description: 'there is no such option' },
    ]);
    expect(unknownNames({ network: 1 }, NAMES)).toEqual([]);
  });
});
