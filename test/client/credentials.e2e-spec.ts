import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AgentCardProvider,
  ApiKeyScheme,
  BasicScheme,
  BearerScheme,
  type A2AUser,
  type AgentCardInput,
} from 'nestjs-a2a';
import {
  A2AClient,
  ApiKeyCredential,
  BasicCredential,
  BearerCredential,
  OAuth2ClientCredentials,
  type ClientCredentials,
  type TokenRequest,
  userMessage,
} from 'nestjs-a2a/client';
import type { AgentCard, SecurityRequirement } from 'nestjs-a2a/protocol';
import { closeServer, portOf } from '../net/canary.js';
import { probeCard } from '../probe-agent/probe.options.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { RecordingHttp } from './recording-http.js';

const users = (...names: string[]) => names.map((user) => ({ secret: `${user}-key`, user }));
const need = (...names: string[]): SecurityRequirement => ({
  schemes: Object.fromEntries(names.map((name) => [name, { list: [] }])),
});
const SCHEMES = [
  new ApiKeyScheme({ name: 'header', keys: users('ann') }),
  new ApiKeyScheme({ name: 'query', location: 'query', keys: users('bea') }),
  new ApiKeyScheme({ name: 'cookie', location: 'cookie', keys: users('cia') }),
  new BasicScheme({ users: [{ user: 'Dóra', password: 'open sesame' }] }),
  new BearerScheme({ secrets: users('eva') }),
];
const ALTERNATIVES = [need('header'), need('query'), need('cookie'), need('basic'), need('bearer')];

/** An agent that asks for these, called by a name that is not its own. */
async function agent(
  adapter: (typeof ADAPTERS)[number],
  securityRequirements: SecurityRequirement[],
  publicUrl?: string,
) {
  const agentCard = { ...probeCard(), securityRequirements };
  return start(adapter, probeModule({ agentCard, authentication: SCHEMES, publicUrl }));
}

async function whoami(client: A2AClient): Promise<unknown> {
  const answer = await client.sendMessage({ message: userMessage('whoami') });
  return 'task' in answer ? answer.task.artifacts?.[0]?.parts[0] : answer;
}

describe.each(ADAPTERS)('credentials for an agent on %s', (adapter) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await agent(adapter, ALTERNATIVES);
  });
  afterAll(() => running.close());

  const named = (name: string, key: string): ClientCredentials => ({ [name]: new ApiKeyCredential(key) });
  it.each<readonly [user: string, credentials: ClientCredentials]>([
    ['ann', 'ann-key'],
    ['ann', named('header', 'ann-key')],
    ['bea', named('query', 'bea-key')],
    ['cia', named('cookie', 'cia-key')],
    ['Dóra', new BasicCredential('Dóra', 'open sesame')],
    ['eva', new BearerCredential('eva-key')],
    ['eva', new BearerCredential(async () => 'eva-key')],
  ])('let %s in', async (user, credentials) => {
    for (const binding of ['JSONRPC', 'HTTP+JSON']) {
      const client = await A2AClient.discover(running.url, { network: 'any', credentials, protocols: [binding] });
      expect(await whoami(client)).toMatchObject({ data: { user } });
      const stream = client.sendMessageStream({ message: userMessage('echo hi') });
      expect(await stream.result()).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
      await client.close();
    }
  });

  it('are asked for before anything is sent', async () => {
    const http = new RecordingHttp();
    const client = await A2AClient.discover(running.url, { http });
    await expect(whoami(client)).rejects.toMatchObject({
      code: 'CREDENTIALS_MISSING',
      message: expect.stringContaining("'header' (API key in header X-API-Key), or 'query'"),
    });
    const wrong = await A2AClient.discover(running.url, { http, credentials: { other: new ApiKeyCredential('x') } });
    await expect(whoami(wrong)).rejects.toMatchObject({ code: 'CREDENTIALS_MISSING' });
    expect(http.lines).toEqual(['GET /.well-known/agent-card.json 200', 'GET /.well-known/agent-card.json 200']);
    await http.close();
  });

  it('that are refused are an error that does not repeat them', async () => {
    const client = A2AClient.bearerToken('sesame-token', { network: 'any' }).at(running.url);
    const error = await whoami(client).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('sesame');
    await client.close();
  });

  it('that have run out are fetched once more', async () => {
    const http = new RecordingHttp();
    const asked: TokenRequest[] = [];
    const client = A2AClient.bearerToken(
      (request) => {
        asked.push(request);
        return asked.length === 1 ? 'old-key' : 'eva-key';
      },
      { http },
    ).at(running.url);
    expect(await whoami(client)).toMatchObject({ data: { user: 'eva' } });
    expect(asked.map(({ rejected }) => rejected)).toEqual([undefined, 'old-key']);
    expect(http.exchanges.map(({ status }) => status)).toEqual([200, 401, 200]);
    await http.close();
  });
});

describe('credentials, further', () => {
  it('are all shown where all are asked for', async () => {
    const running = await agent('fastify', [need('header', 'bearer')]);
    const credentials = [new BearerCredential('eva-key'), new ApiKeyCredential('ann-key')];
    const client = await A2AClient.discover(running.url, { network: 'any', credentials });
    expect(await whoami(client)).toMatchObject({ data: { user: 'ann' } });
    await client.close();
    await running.close();
  });

  it('stay at the origin that was named, unless more is allowed', async () => {
    const elsewhere = await agent('fastify', ALTERNATIVES);
    const named = await agent('fastify', ALTERNATIVES, elsewhere.url);
    const http = new RecordingHttp();
    const credentials = 'ann-key';
    const client = await A2AClient.discover(named.url, { http, credentials });
    await expect(whoami(client)).rejects.toMatchObject({ code: 'CREDENTIALS_NOT_FOR_ORIGIN' });
    expect(http.lines).toEqual(['GET /.well-known/agent-card.json 200']);
    const allowed = await A2AClient.discover(named.url, { http, credentials, credentialOrigins: [elsewhere.url] });
    expect(await whoami(allowed)).toMatchObject({ data: { user: 'ann' } });
    expect(http.last?.url.startsWith(elsewhere.url)).toBe(true);
    await http.close();
    await Promise.all([named.close(), elsewhere.close()]);
  });

  it('get the caller the extended card, which is used from then on', async () => {
    class Cards extends AgentCardProvider {
      getCard(): AgentCardInput {
        return { ...probeCard(), securityRequirements: ALTERNATIVES };
      }

      override getExtendedCard(user: A2AUser, card: AgentCard): AgentCardInput {
        return { ...card, description: `For ${user.id}` };
      }
    }
    const providers = [{ provide: AgentCardProvider, useClass: Cards }];
    const running = await start('fastify', probeModule({ agentCard: undefined, authentication: SCHEMES, providers }));
    const client = await A2AClient.discover(running.url, { network: 'any', credentials: 'ann-key' });
    expect(await client.getExtendedAgentCard()).toMatchObject({ description: 'For ann' });
    const { card, origin } = await client.agent();
    expect([card.description, origin]).toEqual(['For ann', running.url]);
    expect(await whoami(client)).toMatchObject({ data: { user: 'ann' } });
    await client.close();
    await running.close();
  });

  it('come from a token endpoint, once', async () => {
    const tokens: string[] = [];
    const issuer = createServer((request, response) => {
      tokens.push(String(request.headers.authorization));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'eva-key', token_type: 'bearer', expires_in: 600 }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const running = await agent('fastify', [need('bearer')]);
    const tokenUrl = `http://127.0.0.1:${portOf(issuer)}/token`;
    const credentials = new OAuth2ClientCredentials({ clientId: 'me', clientSecret: 'sesame', tokenUrl });
    const client = await A2AClient.discover(running.url, { network: 'any', credentials });
    const answers = await Promise.all(Array.from({ length: 5 }, () => whoami(client)));
    expect(answers).toMatchObject(Array.from({ length: 5 }, () => ({ data: { user: 'eva' } })));
    expect(tokens).toEqual([`Basic ${Buffer.from('me:sesame').toString('base64')}`]);
    await client.close();
    await running.close();
    await closeServer(issuer);
  });
});
