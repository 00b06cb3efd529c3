import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { CARD_PATH, message } from '../support/a2a-calls.js';
import { EventClient } from '../support/event-stream-client.js';
import { at, jsonOf, listAt, open, send, textAt, type Answer, type Call } from '../support/http-call.js';
import { normalise } from '../support/normalise.js';
import { Pair, type Side } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { furnish, furnishedModule, requestScope, type Versions } from './furnished-host.js';

type Fields = Readonly<Record<string, string>>;

/** Answers with what the host knows of the request in its own scope. */
class ScopedExecutor extends AgentExecutor {
  static readonly signals = new EventEmitter();

  override async execute({ text, taskId }: RequestContext, emitter: AgentEmitter): Promise<void> {
    if (text === 'message') return emitter.sendMessage('hi');
    await emitter.working();
    if (text === 'wait') await once(ScopedExecutor.signals, taskId);
    await emitter.addArtifact(
      text === 'long' ? 'x'.repeat(5_000) : `for ${requestScope.getStore()?.requestId ?? 'none'}`,
    );
    await emitter.complete();
  }
}

const agent = (): DynamicModule => probeModule({ executor: ScopedExecutor });

/** Where an app has its agent, as its card says. */
async function pathsOf(side: Side): Promise<{ readonly rpc: string; readonly rest: string }> {
  const { body } = await send(side.url, { path: CARD_PATH });
  const [rpc, rest] = listAt(body, 'supportedInterfaces').map((entry) => new URL(textAt(entry, 'url')).pathname);
  return { rpc: String(rpc), rest: String(rest) };
}

const rpcCall = (path: string, method: string, params: unknown, headers: Fields = {}): Call => ({
  path,
  headers,
  body: { jsonrpc: '2.0', id: 7, method, params },
});

/** A call, wherever the agent is. */
type AgentCall = (paths: { readonly rpc: string; readonly rest: string }) => Call;

const AGENT_CALLS: [string, AgentCall][] = [
  ['a result', ({ rpc }) => rpcCall(rpc, 'SendMessage', message('hi'))],
  ['a direct message', ({ rpc }) => rpcCall(rpc, 'SendMessage', message('message'))],
  ['a long result', ({ rpc }) => rpcCall(rpc, 'SendMessage', message('long'))],
  ['a REST result', ({ rest }) => ({ path: `${rest}/message:send`, body: message('hi') })],
  ['a JSON-RPC error', ({ rpc }) => rpcCall(rpc, 'GetTask', { id: 'none' })],
  ['violations', ({ rpc }) => rpcCall(rpc, 'SendMessage', { message: { parts: [] } })],
  ['an unknown method', ({ rpc }) => rpcCall(rpc, 'Nothing', {})],
  ['a REST error', ({ rest }) => ({ path: `${rest}/tasks/none` })],
  ['a parse error', ({ rest }) => ({ path: `${rest}/message:send`, body: '{"' })],
  [
    'a wrong media type',
    ({ rest }) => ({ path: `${rest}/message:send`, body: '{}', headers: { 'content-type': 'a/b' } }),
  ],
  ['unknown fields', ({ rest }) => ({ path: `${rest}/message:send`, body: message('hi', { odd: 1 }, { more: 2 }) })],
  ['a wrong verb', ({ rest }) => ({ path: `${rest}/tasks`, method: 'DELETE' })],
  ['a path that is no operation', ({ rest }) => ({ path: `${rest}/message:other`, body: {} })],
  ['no body', ({ rpc }) => ({ path: rpc, method: 'POST' })],
  ['a large body', ({ rest }) => ({ path: `${rest}/message:send`, body: message('x'.repeat(1_100_000)) })],
  ['the card', () => ({ path: CARD_PATH })],
];

describe.each<Versions>(['in the path', 'in a header'])(
  'a host with everything, and versions %s (law 9)',
  (versions) => {
    let withAgent: Pair;
    let without: Pair;
    let plain: Pair;
    beforeAll(async () => {
      withAgent = await Pair.start(() => furnishedModule([agent()]), { setup: furnish(versions) });
      without = await Pair.start(() => furnishedModule([]), { setup: furnish(versions) });
      plain = await Pair.start(agent);
    });
    afterAll(async () => {
      await withAgent.close();
      await without.close();
      await plain.close();
    });

    const hostPath = (path: string, version = '1'): Pick<Call, 'path' | 'headers'> =>
      versions === 'in the path'
        ? { path: `/api/v${version}${path}`, headers: { 'x-request-id': 'r1' } }
        : { path: `/api${path}`, headers: { 'x-version': version, 'x-request-id': 'r1' } };

    it.each<[string, () => Call]>([
      ['a good body', () => ({ ...hostPath('/orders'), body: { name: 'tea' } })],
      ['a body with more than the pipe lets pass', () => ({ ...hostPath('/orders'), body: { name: 'tea', more: 1 } })],
      ['malformed JSON', () => ({ ...hostPath('/orders'), body: '{"name":' })],
      ['a large body', () => ({ ...hostPath('/orders'), body: { name: 'x'.repeat(200_000) } })],
      ['an order', () => hostPath('/orders/1')],
      ['the next version', () => hostPath('/orders/1', '2')],
      ['no such version', () => hostPath('/orders/1', '9')],
      ['an order that is not there', () => hostPath('/orders/none')],
      ['a bug', () => hostPath('/orders/bug')],
      [
        'a compressed list',
        () => ({
          path: hostPath('/orders/many').path,
          headers: { ...hostPath('').headers, 'accept-encoding': 'gzip' },
        }),
      ],
      ['a path without the prefix', () => ({ path: '/orders/1' })],
      [
        'a preflight',
        () => ({
          path: hostPath('/orders').path,
          method: 'OPTIONS',
          headers: { origin: 'https://web.example', 'access-control-request-method': 'POST' },
        }),
      ],
    ])('answers %s as it does without the agent', async (_what, callOf) => {
      const here = await withAgent.each(({ url }) => send(url, callOf()));
      const there = await without.each(({ url }) => send(url, callOf()));
      expect(here.map(whole)).toEqual(there.map(whole));
    });

    it.each(AGENT_CALLS)('does not deform %s', async (_what, callOf) => {
      await withAgent.each(async (side) => {
        const original = plain.sides.find(({ adapter }) => adapter === side.adapter) ?? side;
        const here = await send(side.url, callOf(await pathsOf(side)));
        const there = await send(original.url, callOf(await pathsOf(original)));
        expect(seen(here)).toEqual(seen(there));
      });
    });

    it('lends its headers to the agent: CORS, helmet, limits', async () => {
      const headers = { origin: 'https://web.example' };
      await withAgent.each(async (side) => {
        const paths = await pathsOf(side);
        const calls = [
          rpcCall(paths.rpc, 'SendMessage', message('hi'), headers),
          { path: `${paths.rest}/tasks/none`, headers },
          { path: `${paths.rest}/message:stream`, body: message('hi'), headers },
        ];
        for (const call of calls) {
          const answer = await send(side.url, call);
          expect(answer.headers).toMatchObject({
            'access-control-allow-origin': 'https://web.example',
            'x-content-type-options': 'nosniff',
            'x-ratelimit-limit': '100000',
          });
        }
      });
    });

    it('compresses what the agent answers, and leaves it whole', async () => {
      await withAgent.each(async (side) => {
        const { rpc } = await pathsOf(side);
        const call = rpcCall(rpc, 'SendMessage', message('long'), { 'accept-encoding': 'gzip' });
        const response = await open(side.url, call).response;
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(Buffer.from(chunk));
        expect(response.headers['content-encoding']).toBe('gzip');
        const text = gunzipSync(Buffer.concat(chunks)).toString();
        expect(at(jsonOf(text), 'result.task.artifacts.0.parts.0.text')).toBe('x'.repeat(5_000));
      });
    });

    it('holds no event of a stream back, whatever it compresses', async () => {
      await withAgent.each(async (side) => {
        const { rpc } = await pathsOf(side);
        const headers = { 'accept-encoding': 'gzip, br', 'x-request-id': 'r2' };
        const stream = await EventClient.open(side.url, rpcCall(rpc, 'SendStreamingMessage', message('wait'), headers));
        expect(stream.headers['content-encoding']).toBeUndefined();
        // The agent goes on only when its first events have arrived.
        await stream.frameCount(2);
        ScopedExecutor.signals.emit(textAt(stream.frames[0]?.data, 'result.task.id'));
        expect(await stream.ended).toBe(true);
        expect(stream.frames).toHaveLength(4);
        expect(at(stream.frames[2]?.data, 'result.artifactUpdate.artifact.parts.0.text')).toBe('for r2');
      });
    });

    it('lends its request scope to the executor', async () => {
      await withAgent.each(async (side) => {
        const { rest } = await pathsOf(side);
        const names = ['a', 'b', 'c'];
        const answers = await Promise.all(
          names.map((name) =>
            send(side.url, { path: `${rest}/message:send`, body: message('hi'), headers: { 'x-request-id': name } }),
          ),
        );
        expect(answers.map(({ body }) => at(body, 'task.artifacts.0.parts.0.text'))).toEqual(
          names.map((name) => `for ${name}`),
        );
      });
    });

    it('documents its own routes only', async () => {
      const documents = ({ running }: Side): object =>
        SwaggerModule.createDocument(running.app, new DocumentBuilder().setTitle('Host').build());
      const here = await withAgent.each(documents);
      const there = await without.each(documents);
      expect(here).toEqual(there);
      const path = versions === 'in the path' ? '/api/v1/orders/{id}' : '/api/orders/{id}';
      expect(at(here[0], 'paths')).toHaveProperty([path]);
    });
  },
);

describe('a host that limits calls', () => {
  it('refuses the agent’s callers in the form of their binding', async () => {
    const pair = await Pair.start(() => furnishedModule([agent()], 2), { setup: furnish('in the path') });
    try {
      await pair.each(async (side) => {
        const { rpc, rest } = await pathsOf(side);
        const calls = [rpcCall(rpc, 'ListTasks', {}), { path: `${rest}/tasks` }];
        for (const call of calls) {
          const answers: Answer[] = [];
          for (let n = 0; n < 4; n++) answers.push(await send(side.url, call));
          const refused = answers.at(-1);
          expect(refused?.status).toBe(429);
          expect(refused?.headers['retry-after']).toMatch(/^\d+$/);
          const details = at(refused?.body, 'error.data') ?? at(refused?.body, 'error.details');
          expect(at(details, '0.reason')).toBe('RESOURCE_EXHAUSTED');
        }
      });
    } finally {
      await pair.close();
    }
  });
});

describe('an agent that RouterModule mounts', () => {
  it('is where its card says', async () => {
    const mounted = (): (DynamicModule | typeof A2AModule)[] => [
      agent(),
      RouterModule.register([{ path: 'agents', module: A2AModule }]),
    ];
    const pair = await Pair.start(() => furnishedModule(mounted()), { setup: furnish('in a header') });
    try {
      await pair.each(async (side) => {
        const cards = await Promise.all(
          [CARD_PATH, `/agents${CARD_PATH}`, `/api/agents${CARD_PATH}`].map((path) => send(side.url, { path })),
        );
        const card = cards.find(({ status }) => status === 200);
        expect(card).toBeDefined();
        const [rpc, rest] = listAt(card?.body, 'supportedInterfaces').map(
          (entry) => new URL(textAt(entry, 'url')).pathname,
        );
        const viaRpc = await send(side.url, rpcCall(String(rpc), 'SendMessage', message('hi')));
        expect(at(viaRpc.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
        const viaRest = await send(side.url, { path: `${String(rest)}/message:send`, body: message('hi') });
        expect(at(viaRest.body, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      });
    } finally {
      await pair.close();
    }
  });
});

/** An answer without what differs from call to call. */
function whole({ status, headers, text }: Answer): object {
  const { date, ...more } = headers;
  expect(date).toBeDefined();
  return { status, headers: more, text };
}

/** What a client of the agent goes by; the host's prefix may be in an address. */
function seen({ status, headers, text }: Answer): object {
  const own = ['content-type', 'allow', 'retry-after', 'www-authenticate', 'cache-control'];
  return {
    status,
    headers: own.map((name) => headers[name]),
    text: normalise(text).replaceAll(/\/api(?:\/v1)?\/a2a/g, '/a2a'),
  };
}
