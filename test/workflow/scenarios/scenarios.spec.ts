import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from 'nestjs-a2a/protocol';
import { alterationsOf } from './alterations.js';
import { compareEvents } from './compare-events.js';
import { judge } from './judge.js';
import { playTrial } from './play-trial.js';
import { entriesOf, nameOf, scenarioOf } from './scenario.js';

const EXPECT = { success: true };

describe('a file of scenarios', () => {
  it.each<[JsonValue, RegExp]>([
    [5, /must be an object/],
    [{ id: 'x', given: { steps: {} }, expect: {} }, /expects nothing/],
    [{ id: 'x', expect: EXPECT }, /either given or cases/],
    [{ id: 'x', cases: [], expect: EXPECT }, /no cases/],
    [{ id: 'x', given: { steps: {}, agnets: {} }, expect: EXPECT }, /given has unknown members: agnets/],
    [{ id: 'x', given: { steps: {} }, expect: { sucess: true } }, /expect has unknown members: sucess/],
    [{ id: 'x', given: { steps: { A: { subs: [] } } }, expect: EXPECT }, /given\.steps\.A has unknown members: subs/],
    [answering({ done: [], fail: 'x' }), /exactly one of/],
    [answering({ state: 'LOST' }), /send\[0\]\.state must be one of/],
    [answering({ done: 'x' }), /send\[0\]\.done must be a list/],
    [deciding({ onTask: { a: 'explode' } }), /onTask\.a is "explode", not/],
    [deciding({ onNegotiation: ['MAYBE'] }), /onNegotiation\[0\] is "MAYBE", not/],
    [deciding({ onRoute: { 'A->B': 'yes' } }), /onRoute\.A->B is "yes", not/],
  ])('%j is refused', (entry, text) => expect(() => scenarioOf(entry)).toThrow(text));

  it('names a scenario that cannot be read', () => {
    expect(nameOf(5, 2)).toBe('scenario 3');
    expect(() => entriesOf('{}')).toThrow('must be a list');
  });

  it('is judged by what happens, and by nothing less', async () => {
    const entries = entriesOf(readFileSync('test/workflow/scenarios.json', 'utf8'));
    const diamond = entries.find((entry, at) => nameOf(entry, at) === '02-diamond');
    if (diamond === undefined) throw new Error('The scenario is gone');
    for (const trial of scenarioOf(diamond).trials) {
      const seen = await playTrial(trial, 2);
      expect(judge(trial.expect, seen, trial.workflow)).toEqual([]);
      const survivors = [...alterationsOf(trial)].filter(
        ({ expect }) => judge(expect, seen, trial.workflow).length === 0,
      );
      expect(survivors.map(({ what }) => what)).toEqual([]);
    }
  });
});

describe('events side by side', () => {
  const expected = ['start', 'task_request:A/X', 'task_request:A/Y', 'agent_request:X', 'agent_request:Y', 'close'];

  it.each([
    [['start', 'task_request:A/X', 'task_request:A/Y', 'agent_request:Y', 'agent_request:X', 'close'], true],
    [['start', 'task_request:A/Y', 'task_request:A/X', 'agent_request:X', 'agent_request:Y', 'close'], false],
    [['start', 'task_request:A/X', 'agent_request:Y', 'task_request:A/Y', 'agent_request:X', 'close'], false],
    [['start', 'task_request:A/X', 'task_request:A/Y', 'agent_request:X', 'close', 'agent_request:Y'], false],
    [['start', 'task_request:A/X', 'task_request:A/Y', 'agent_request:X', 'close'], false],
  ])('%j: %p', (actual, fits) => {
    expect(compareEvents(expected, actual, new Map()).length === 0).toBe(fits);
  });

  it('says that a failed negotiation may be told before or after the end of its task', () => {
    const before = ['start', 'task_request:A/X', 'agent_request:X', 'negotiation_failed:X#1=E'];
    const [status, close] = ['task_status_changed:A/X=failed', 'close'];
    const after = [...before.slice(0, 3), status, 'negotiation_failed:X#1=E', close];
    expect(compareEvents([...before, status, close], after, undefined)).toEqual([]);
    const early = ['start', 'negotiation_failed:X#1=E', ...before.slice(1, 3), status, close];
    expect(compareEvents([...before, status, close], early, undefined)).not.toEqual([]);
  });
});

function answering(answer: JsonValue): JsonValue {
  return { id: 'x', given: { steps: {}, agents: { X: { send: [answer] } } }, expect: EXPECT };
}

function deciding(control: JsonValue): JsonValue {
  return { id: 'x', given: { steps: {}, control }, expect: EXPECT };
}
