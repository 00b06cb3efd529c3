import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgentCardError } from './agent-card.error.js';
import { loadAgentCardFile } from './agent-card.loader.js';
import { StaticAgentCardProvider } from './static-agent-card.provider.js';

let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'a2a-card-'));
  writeFileSync(join(directory, 'card.json'), '\uFEFF{"name":"Recipes","version":"2.0.0"}');
  writeFileSync(join(directory, 'broken.json'), '{\n  "name": "Recipes",\n  version: "1"\n}');
  writeFileSync(join(directory, 'list.json'), '[]');
  writeFileSync(join(directory, 'nameless.json'), '{"description":"x"}');
  mkdirSync(join(directory, 'folder.json'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function failureOf(path: string): AgentCardError {
  try {
    loadAgentCardFile(path);
  } catch (error) {
    if (error instanceof AgentCardError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('loadAgentCardFile', () => {
  it.each([
    ['an absolute path', () => join(directory, 'card.json')],
    ['a relative path', () => relative(process.cwd(), join(directory, 'card.json'))],
    ['file: and an absolute path', () => `file:${join(directory, 'card.json')}`],
    ['file: and a relative path', () => `file:${relative(process.cwd(), join(directory, 'card.json'))}`],
    ['a file URL', () => pathToFileURL(join(directory, 'card.json')).href],
    ['a path with blanks around', () => ` ${join(directory, 'card.json')} `],
  ])('reads %s', (_case, path) => {
    expect(loadAgentCardFile(path())).toEqual({ name: 'Recipes', version: '2.0.0' });
  });

  it('says where it looked and how else a card can be given', () => {
    expect(failureOf('nowhere/card.json').message).toBe(
      `The agent card has one fault:
  - there is no file ${resolve('nowhere/card.json')}, which is "nowhere/card.json" seen from ${process.cwd()}; give the card as an object (agentCard: { name: … } in the options of A2AModule), as the path of a JSON file (agentCard, or the environment variable A2A_SERVER_AGENT_CARD), or by a provider for AgentCardProvider`,
    );
  });

  it('answers a class path with the fix', () => {
    expect(failureOf('classpath:/agentcard/my_agent.json').faults).toEqual([
      { path: '', description: expect.stringContaining('working directory: "agentcard/my_agent.json"') },
    ]);
  });

  it.each([
    ['broken.json', 'is not JSON, see line 3, column 3'],
    ['list.json', 'must hold a JSON object'],
    ['nameless.json', 'must hold a card with a name'],
    ['folder.json', 'cannot be read (EISDIR)'],
    ['card.json/card.json', 'there is no file'],
  ])('%s: %s', (file, expected) => {
    const error = failureOf(join(directory, file));
    expect(error.code).toBe('A2A_AGENT_CARD');
    expect(error.message).toContain(expected);
    expect(error.message).toContain(join(directory, file));
  });

  it('refuses a file URL of another machine', () => {
    expect(failureOf('file://server/card.json').message).toContain('no usable file URL');
  });
});

describe('StaticAgentCardProvider', () => {
  it('hands out the card as it was written', () => {
    const card = { name: 'Recipes' };
    expect(new StaticAgentCardProvider(card).getCard()).toBe(card);
  });

  it('reads the file', () => {
    expect(new StaticAgentCardProvider(join(directory, 'card.json')).getCard().name).toBe('Recipes');
  });
});
