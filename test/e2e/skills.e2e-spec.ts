import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Inject, Injectable, Scope } from '@nestjs/common';
import {
  A2AConfigurationError,
  A2AModule,
  AgentCardError,
  AgentCardProvider,
  ApiKeyScheme,
  SkillDirectory,
  SkillSource,
  type A2AModuleExtras,
  type A2AModuleOptions,
  type A2AUser,
  type AgentCardInput,
  type SkillCaller,
  type SkillList,
} from 'nestjs-a2a';
import { verifyAgentCard, type AgentCard, type JsonWebKeySet } from 'nestjs-a2a/protocol';
import { asUser, CARD_PATH, message, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { caught } from '../support/caught.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { at, listAt, send } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { start, type RunningApp, type StartOptions } from '../support/running-app.js';

type Options = A2AModuleOptions & A2AModuleExtras;

const CARD = { path: CARD_PATH };
const EXTENDED = 'GetExtendedAgentCard';
const nameOf = (skill: unknown): unknown => at(skill, 'name');
const namesIn = (card: unknown): unknown[] => listAt(card, 'skills').map(nameOf);

/** What a test makes the source do. */
class Shelf {
  skills: SkillList = [{ name: 'Public' }];
  failure: Error | undefined;
}

/** Gives everybody what is on the shelf, and who is known a skill of his own. */
@Injectable()
class ShelfSkills extends SkillSource {
  override readonly publicMaxAgeSeconds = 0;

  constructor(@Inject(Shelf) private readonly shelf: Shelf) {
    super();
  }

  override getSkills({ user, tenant }: SkillCaller): SkillList {
    if (this.shelf.failure !== undefined) throw this.shelf.failure;
    return user.authenticated ? [...this.shelf.skills, { name: `Of ${user.id}${tenant}` }] : this.shelf.skills;
  }
}

let pair: Pair | undefined;
let running: RunningApp | undefined;

afterEach(async () => {
  await pair?.close();
  await running?.close();
  pair = running = undefined;
});

async function started(options: Options, more: StartOptions = {}): Promise<Pair> {
  const base: Options = { agentCard: cardOf('Librarian'), executor: EchoExecutor, guards: [BelievingGuard] };
  return (pair = await Pair.start(() => A2AModule.forRoot({ ...base, ...options }), more));
}

function shelved(options: Options = {}): [Shelf, Options] {
  const shelf = new Shelf();
  return [shelf, { skills: ShelfSkills, providers: [{ provide: Shelf, useValue: shelf }], ...options }];
}

describe('skills of a source', () => {
  it('are behind the author’s own in the public card, and each caller’s own in the extended one', async () => {
    const agentCard: AgentCardInput = {
      ...cardOf('Librarian'),
      skills: [{ name: 'Public' }],
      capabilities: { extendedAgentCard: true },
    };
    const [, options] = shelved({ agentCard });
    const agents = await started(options);
    const { body } = await agents.call(CARD);
    expect(listAt(body, 'skills').map((skill) => at(skill, 'id'))).toEqual(['public', 'public-2']);
    for (const name of ['ann', 'ben']) {
      const extended = await agents.call(rpc(EXTENDED, { tenant: ' of t' }, asUser(name)));
      expect(namesIn(at(extended.body, 'result'))).toEqual(['Public', 'Public', `Of ${name} of t`]);
    }
    expect((await agents.call(rpc(EXTENDED))).status).toBe(401);
  });

  it('change the ETag when they change, and only then; caches may keep such a card for five minutes', async () => {
    const [shelf, options] = shelved();
    const agents = await started(options);
    const etags = await agents.each(async ({ url }) => {
      const { headers } = await send(url, CARD);
      expect(headers['cache-control']).toBe('public, max-age=300');
      return String(headers.etag);
    });
    const again = { ...CARD, headers: { 'if-none-match': etags.join(', ') } };
    expect((await agents.call(again)).status).toBe(304);
    shelf.skills = [{ name: 'Public' }, { name: 'New', inputModes: ['image/png'] }];
    const changed = await agents.call(again);
    expect([changed.status, namesIn(changed.body)]).toEqual([200, ['Public', 'New']]);
    // What the card says is what is taken (law 12).
    const parts = [{ url: 'https://x.example/a.png', mediaType: 'image/png' }];
    const sent = await agents.call(rpc('SendMessage', message('', { parts })));
    expect(at(sent.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
  });

  it('that fail later, or that no card can have, leave the public card as it was; callers see no cause', async () => {
    const logger = new CapturingLogger();
    const [shelf, options] = shelved({ authentication: [new ApiKeyScheme({ keys: [{ secret: 'k1', user: 'ann' }] })] });
    const agents = await started(options, { logger });
    const { text, body } = await agents.call(CARD);
    expect(at(body, 'capabilities.extendedAgentCard')).toBe(true);
    const extended = rpc(EXTENDED, {}, { 'x-api-key': 'k1' });
    expect(namesIn(at((await agents.call(extended)).body, 'result'))).toContain('Of ann');
    for (const [failure, skills] of [
      [new Error('password=hunter2'), [{ name: 'Public' }]],
      [undefined, [{ name: 'Odd', inputModes: ['not a type'] }]],
    ] as const) {
      Object.assign(shelf, { failure, skills });
      expect((await agents.call(CARD)).text).toBe(text);
      const refused = await agents.call(extended);
      expect(at(refused.body, 'error.code')).toBe(-32603);
      expect(refused.text).not.toMatch(/hunter2|not a type/);
    }
    expect(logger.text).toContain('hunter2');
    expect(logger.text).toContain('not a type');
  });

  it('that cannot be had at the start: the agent works, its card is a masked 500 until they are there', async () => {
    const logger = new CapturingLogger();
    const [shelf, options] = shelved();
    shelf.failure = new Error('hunter2');
    const agents = await started(options, { logger });
    const refused = await agents.call(CARD);
    expect([refused.status, at(refused.body, 'error.status')]).toEqual([500, 'INTERNAL']);
    expect(refused.text).not.toContain('hunter2');
    expect((await agents.call(rpc('SendMessage', message('hi')))).status).toBe(200);
    shelf.failure = undefined;
    expect(namesIn((await agents.call(CARD)).body)).toEqual(['Public']);
  });
});

describe('the option skills', () => {
  class Own extends SkillSource {
    getSkills(): SkillList {
      return [{ name: 'Given' }, null, { name: ' ' }];
    }
  }
  const forms: [string, Options][] = [
    ['a class', { skills: Own }],
    ['an object', { skills: new Own() }],
    ['a function', { skills: () => [{ name: 'Given' }] }],
    ['a factory', { skills: { useFactory: () => new Own() } }],
    ['a class as provider', { skills: { useClass: Own } }],
    ['another token', { skills: { useExisting: 'own' }, providers: [{ provide: 'own', useClass: Own }] }],
    ['a provider in its place', { providers: [{ provide: SkillSource, useClass: Own }] }],
  ];
  it.each(forms)('takes %s; without a way to log in there is no extended card', async (_form, options) => {
    running = await start('fastify', A2AModule.forRoot({ agentCard: cardOf('A'), executor: EchoExecutor, ...options }));
    const { body } = await send(running.url, CARD);
    expect([namesIn(body), at(body, 'capabilities.extendedAgentCard')]).toEqual([['Given'], false]);
  });

  it('says what is wrong with a source that is made for each request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends Own {}
    const module = A2AModule.forRoot({ agentCard: cardOf('A'), executor: EchoExecutor, skills: Scoped });
    const error = await caught(start('fastify', module));
    expect(error).toBeInstanceOf(A2AConfigurationError);
    expect(error.message).toContain('is request-scoped');
  });

  it('refuses what has no getSkills(), and what no card can have', async () => {
    const agent = (skills: Options['skills']) =>
      start('fastify', A2AModule.forRoot({ agentCard: cardOf('A'), executor: EchoExecutor, skills }));
    expect((await caught(agent(JSON.parse('{}')))).message).toContain('has no getSkills()');
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const odd: [SkillList, string][] = [
      [[{ name: 'A', outputModes: ['?'] }], 'skills[0].outputModes[0]'],
      [[{ name: 'A', inputSchema: circular }], 'skills[0].inputSchema'],
    ];
    for (const [list, path] of odd) {
      const error = await caught(agent(() => list));
      expect(error).toBeInstanceOf(AgentCardError);
      expect(error.message).toContain(path);
    }
    class Timeless extends Own {
      override readonly publicMaxAgeSeconds = Number.NaN;
    }
    expect((await caught(agent(Timeless))).message).toContain(
      'skills.publicMaxAgeSeconds: must be a number of seconds',
    );
  });
});

describe('skills of a folder', () => {
  it('are in a card that stays signed when they change; a provider builds on them', async () => {
    const root = await mkdtemp(join(tmpdir(), 'skills-'));
    const put = async (name: string): Promise<void> => {
      await mkdir(join(root, name));
      await writeFile(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Does ${name}\n---\n`);
    };
    class Cards extends AgentCardProvider {
      getCard = (): AgentCardInput => cardOf('Shelf');
      override getExtendedCard(user: A2AUser, card: AgentCard): AgentCardInput {
        return { ...card, description: `For ${user.id}` };
      }
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    try {
      await put('cook');
      const agents = await started({
        agentCard: undefined,
        publicUrl: 'https://a.example',
        cardSigning: { keys: [{ key: privateKey, kid: 'k' }], jwksPath: 'keys.json' },
        skills: new SkillDirectory(root, { checkIntervalSeconds: 0 }),
        providers: [{ provide: AgentCardProvider, useClass: Cards }],
      });
      const keys = (await agents.call({ path: '/keys.json' })).body;
      const verified = async (card: unknown): Promise<unknown[]> =>
        namesIn((await verifyAgentCard(card, { keys: isKeySet(keys) ? keys : { keys: [] } })).card);
      expect(await verified((await agents.call(CARD)).body)).toEqual(['cook']);
      await put('dance');
      expect(await verified((await agents.call(CARD)).body)).toEqual(['cook', 'dance']);
      const extended = at((await agents.call(rpc(EXTENDED, {}, asUser('ann')))).body, 'result');
      expect([await verified(extended), at(extended, 'description')]).toEqual([['cook', 'dance'], 'For ann']);
      await writeFile(join(root, 'cook', 'SKILL.md'), 'broken');
      expect(await verified((await agents.call(CARD)).body)).toEqual(['cook', 'dance']);
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('that cannot be read stop the start, with every fault', async () => {
    const module = A2AModule.forRoot({
      agentCard: cardOf('A'),
      executor: EchoExecutor,
      skills: new SkillDirectory('no/such/folder'),
    });
    expect((await caught(start('express', module))).message).toContain('no/such/folder: there is no such folder');
  });
});

function isKeySet(value: unknown): value is JsonWebKeySet {
  return Array.isArray(at(value, 'keys'));
}
