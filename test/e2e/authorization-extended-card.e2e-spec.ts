import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import { A2AModule, AgentCardProvider, type A2AUser, type AgentCardInput } from 'nestjs-a2a';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { asUser, CARD_PATH, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { cardOf, EchoExecutor } from '../support/echo.executor.js';
import { at, type Answer, type Call } from '../support/http-call.js';
import { Pair } from '../support/parity.js';

type Headers = Readonly<Record<string, string>>;

/** Has a card for everybody but Ben. */
class PersonalCards extends AgentCardProvider {
  getCard(): AgentCardInput {
    return cardOf('Librarian');
  }

  override async getExtendedCard(user: A2AUser, card: AgentCard): Promise<AgentCardInput | undefined> {
    if (user.id === 'ben') return undefined;
    const skill = { id: `of-${user.id}`, name: 'Own', description: `For ${user.id}`, tags: ['own'] };
    return { ...card, skills: [...card.skills, skill] };
  }
}

/** Says nothing of an extended card. */
class PublicCard extends AgentCardProvider {
  getCard(): AgentCardInput {
    return cardOf('Librarian');
  }
}

const viaRpc = (headers: Headers): Call => rpc('GetExtendedAgentCard', {}, headers);
const viaRest = (headers: Headers): Call => rest('GET', '/extendedAgentCard', undefined, headers);
const bindings: readonly [string, (headers: Headers) => Call][] = [
  ['JSON-RPC', viaRpc],
  ['HTTP+JSON', viaRest],
];

function reasonOf({ body }: Answer): unknown {
  return at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');
}

describe.each(bindings)('the extended card on %s', (binding, call) => {
  let pair: Pair;
  const started = async (cards: new () => AgentCardProvider): Promise<Pair> => {
    pair = await Pair.start(() =>
      A2AModule.forRoot({
        executor: EchoExecutor,
        guards: [BelievingGuard],
        providers: [{ provide: AgentCardProvider, useClass: cards }],
      }),
    );
    return pair;
  };
  afterEach(() => pair.close());

  it('that is not declared is -32004, for anonymous callers too', async () => {
    await started(PublicCard);
    for (const headers of [asUser('ann'), {}]) {
      const answer = await pair.call(call(headers));
      expect([answer.status, reasonOf(answer)]).toEqual([binding === 'JSON-RPC' ? 200 : 400, 'UNSUPPORTED_OPERATION']);
    }
  });

  it('is 401 for anonymous callers, then -32007 where there is none, then each caller’s own', async () => {
    await started(PersonalCards);
    const anonymous = await pair.call(call({}));
    expect([anonymous.status, reasonOf(anonymous)]).toEqual([401, 'UNAUTHENTICATED']);
    const ben = await pair.call(call(asUser('ben')));
    expect([ben.status, reasonOf(ben)]).toEqual([
      binding === 'JSON-RPC' ? 200 : 400,
      'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    ]);
    for (const name of ['ann', 'cleo', 'ann']) {
      const own = await pair.call(call(asUser(name)));
      const card = binding === 'JSON-RPC' ? at(own.body, 'result') : own.body;
      expect(at(card, 'skills.1.id')).toBe(`of-${name}`);
      expect(at(card, 'supportedInterfaces.0.url')).toContain('http://');
    }
    const open = await pair.call({ path: CARD_PATH });
    expect(open.text).not.toContain('of-ann');
    expect(at(open.body, 'capabilities.extendedAgentCard')).toBe(true);
  });

  it('and what else is read over HTTP+JSON is not kept by caches; the public card may be', async () => {
    await started(PersonalCards);
    const reads = ['ann', 'ben'].flatMap((name) => [
      viaRest(asUser(name)),
      rest('GET', '/tasks', undefined, asUser(name)),
      rest('GET', '/tasks/none', undefined, asUser(name)),
    ]);
    for (const read of [...reads, viaRest({})]) {
      expect((await pair.call(read)).headers['cache-control']).toBe('no-store');
    }
    expect((await pair.call({ path: CARD_PATH })).headers['cache-control']).toContain('public');
  });
});
