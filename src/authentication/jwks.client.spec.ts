import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import { JwksClient, type JwksPlace } from './jwks.client.js';

const KEYS = { keys: [{ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: 'k', alg: 'ES256' }] };
const LOCAL = { allowHttp: true, cidrs: ['127.0.0.1/32'] };
const ISSUER = 'https://issuer.example';

/** What the server has at each path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, base: string) => unknown>> = {
  '/jwks': (response) => response.end(JSON.stringify(KEYS)),
  '/elsewhere': (response, base) => response.writeHead(302, { location: `${base}/jwks` }).end(),
  '/gone': (response) => response.writeHead(404).end(JSON.stringify(KEYS)),
  '/text': (response) => response.end('<html>'),
  '/none': (response) => response.end('{"keys":{}}'),
  '/many': (response) => response.end(JSON.stringify({ keys: Array.from({ length: 101 }, () => KEYS.keys[0]) })),
  '/large': (response) => response.end(`{"keys":[],"x":"${'x'.repeat(300_000)}"}`),
  '/silent': () => undefined,
  '/oidc': (response, base) => response.end(JSON.stringify({ issuer: ISSUER, jwks_uri: `${base}/jwks` })),
  '/oidc-of-another': (response, base) =>
    response.end(JSON.stringify({ issuer: 'https://evil.example', jwks_uri: `${base}/jwks` })),
  '/oidc-without-keys': (response) => response.end(JSON.stringify({ issuer: ISSUER })),
  '/oidc-inward': (response) => response.end(JSON.stringify({ issuer: ISSUER, jwks_uri: 'https://169.254.169.254/x' })),
};

describe('JwksClient', () => {
  let server: Server;
  let base = '';
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer(({ url = '' }: IncomingMessage, response) => {
      asked.push(url);
      ANSWERS[url]?.(response, base);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function use<T>(place: JwksPlace, action: (client: JwksClient) => Promise<T>, timeoutMs?: number): Promise<T> {
    const client = new JwksClient(place, LOCAL, timeoutMs);
    try {
      client.check();
      return await action(client);
    } finally {
      await client.close();
    }
  }

  const fetchFrom = (path: string): Promise<unknown> => use({ jwksUrl: base + path }, (client) => client.fetch());
  const discoverAt = (path: string): Promise<unknown> =>
    use({ openIdConnectUrl: base + path, issuers: [ISSUER] }, (client) => client.fetch());

  it('fetches keys', async () => {
    const find = await use({ jwksUrl: `${base}/jwks` }, (client) => client.fetch());
    await expect(find({ alg: 'ES256', kid: 'k' }, { payload: '', signature: '' })).resolves.toBeDefined();
  });

  it('finds the keys by discovery, once', async () => {
    asked.length = 0;
    await use({ openIdConnectUrl: `${base}/oidc`, issuers: ['x', ISSUER] }, async (client) => {
      await client.fetch();
      await client.fetch();
    });
    expect(asked).toEqual(['/oidc', '/jwks', '/jwks']);
  });

  it.each([
    ['/elsewhere', 'status 302'],
    ['/gone', 'status 404'],
    ['/text', 'JSON'],
    ['/none', 'no JSON Web Key Set'],
    ['/many', 'more than 100 keys'],
    ['/large', 'bytes'],
  ])('fails on %s', async (path, text) => {
    await expect(fetchFrom(path)).rejects.toThrow(text);
  });

  it.each([
    ['/oidc-of-another', 'another issuer'],
    ['/oidc-without-keys', 'no jwks_uri'],
    ['/oidc-inward', ''],
    ['/text', 'JSON'],
  ])('fails on the discovery document %s', async (path, text) => {
    await expect(discoverAt(path)).rejects.toThrow(text);
  });

  it('fails when no answer comes in time', async () => {
    const silent = use({ jwksUrl: `${base}/silent` }, (client) => client.fetch(), 50);
    await expect(silent).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('fails when nobody is there', async () => {
    const nobody = use({ jwksUrl: 'http://127.0.0.1:1/jwks' }, (client) => client.fetch());
    await expect(nobody).rejects.toThrow();
  });

  it('can be used again after it was closed', async () => {
    const client = new JwksClient({ jwksUrl: `${base}/jwks` }, LOCAL);
    for (let round = 0; round < 2; round++) {
      await client.fetch();
      await client.close();
      await client.close();
    }
  });
});
