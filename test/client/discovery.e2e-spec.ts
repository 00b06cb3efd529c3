import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient } from 'nestjs-a2a/client';
import { AgentDirectory } from '../../libs/client/src/discovery/agent-directory.js';
import { closeServer, portOf } from '../net/canary.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';
import { RecordingHttp } from './recording-http.js';

const CARD = '/.well-known/agent-card.json';
const JWKS = '/.well-known/jwks.json';

describe.each(ADAPTERS)('discovery of an agent on %s', (adapter) => {
  const key = generateKeyPairSync('ed25519').privateKey;
  let running: RunningApp;
  let http: RecordingHttp;
  beforeAll(async () => {
    const cardSigning = { keys: [{ key, kid: 'k1' }], jwksPath: JWKS };
    // Its name is another one than that by which it is called here.
    running = await start(adapter, probeModule({ publicUrl: 'https://agents.example', cardSigning }));
    http = new RecordingHttp();
  });
  afterAll(async () => {
    await http.close();
    await running.close();
  });

  it('keeps the card as long as the agent says, then asks whether it has changed', async () => {
    let time = 0;
    const directory = new AgentDirectory(http, { now: () => time });
    const before = http.exchanges.length;
    const agent = await directory.find(running.url);
    await directory.find(`${running.url}${CARD}`);
    time += 24 * 3_600_000;
    expect((await directory.find(running.url)).card).toEqual(agent.card);
    await directory.find(running.url);
    await agent.refresh();
    expect(http.lines.slice(before)).toEqual([`GET ${CARD} 200`, `GET ${CARD} 304`, `GET ${CARD} 200`]);
  });

  it('verifies the card with the keys that the agent serves, where those are trusted', async () => {
    const keySetUrl = `https://agents.example${JWKS}`;
    const routed = new RecordingHttp((url) => url.replace('https://agents.example', running.url));
    const find = (keySetUrls: string[]) => A2AClient.discover(running.url, { http: routed, trust: [{ keySetUrls }] });
    const client = await find([keySetUrl]);
    expect(await client.agent()).toMatchObject({ signature: { kid: 'k1', alg: 'EdDSA' }, origin: running.url });
    await expect(find([`${keySetUrl}#`])).rejects.toMatchObject({ code: 'AGENT_CARD_NOT_TRUSTED' });
    expect(routed.lines).toEqual([`GET ${CARD} 200`, `GET ${JWKS} 200`, `GET ${CARD} 200`]);
    await routed.close();
  });
});

describe('discovery, refused', () => {
  let server: Server;
  let url: string;
  let listener: RequestListener = (_request, response) => response.end();
  beforeAll(async () => {
    server = createServer((request, response) => listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${portOf(server)}`;
  });
  afterAll(() => closeServer(server));

  it('goes nowhere but to the public internet unless told so', async () => {
    let asked = 0;
    listener = (_request, response) => {
      asked += 1;
      response.end();
    };
    await expect(A2AClient.discover(url)).rejects.toMatchObject({
      code: 'FORBIDDEN_TARGET',
      message: expect.stringContaining(`${url} is refused: not https`),
    });
    expect(asked).toBe(0);
    const allowed = A2AClient.discover(url, { network: { hosts: ['127.0.0.1'], allowHttp: true } });
    await expect(allowed).rejects.toMatchObject({ code: 'DISCOVERY_FAILED' });
    expect(asked).toBe(2);
  });

  it('follows no redirect', async () => {
    listener = ({ url: path }, response) => response.writeHead(302, { location: `http://127.0.0.1:1${path}` }).end();
    await expect(A2AClient.discover(url, { network: 'any' })).rejects.toMatchObject({
      code: 'DISCOVERY_FAILED',
      cause: { status: 302 },
    });
  });

  it('reads no card without end', async () => {
    listener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    await expect(A2AClient.discover(url, { network: 'any' })).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
  });
});
