import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { JwtScheme, type JwtSchemeOptions } from 'nestjs-a2a';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type KeyLike } from 'jose';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { at } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';
import { start } from '../support/running-app.js';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'https://agent.example';
const ME = rpc('SendMessage', message('whoami'));
const BEARER = 'Bearer realm="a2a"';

interface Signer {
  readonly kid: string;
  readonly privateKey: KeyLike;
  readonly jwk: JWK;
}

async function signer(kid: string): Promise<Signer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

const tokenOf = (sub: string, { kid, privateKey }: Signer, claims: object = {}): Promise<string> =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(sub)
    .setExpirationTime('5 minutes')
    .sign(privateKey);

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('tokens of an issuer that publishes its keys', () => {
  let server: Server;
  let base = '';
  let first: Signer;
  let second: Signer;
  let published: JWK[] = [];
  let up = true;
  let fetches = 0;

  beforeAll(async () => {
    [first, second] = await Promise.all([signer('first'), signer('second')]);
    server = createServer((_request, response) => {
      fetches++;
      if (up) response.end(JSON.stringify({ keys: published }));
      else response.writeHead(500).end('secret of the issuer');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  });
  afterAll(() => void server.close());

  let pair: Pair | undefined;
  const logger = new CapturingLogger();
  beforeEach(() => {
    published = [first.jwk];
    up = true;
    fetches = 0;
  });
  afterEach(() => pair?.close());

  const begin = async (options: Partial<JwtSchemeOptions> = {}): Promise<Pair> => {
    const network = { allowHttp: true, cidrs: ['127.0.0.1/32'] };
    const scheme = (): JwtScheme =>
      new JwtScheme({ issuer: ISSUER, audience: AUDIENCE, jwksUrl: `${base}/jwks`, network, ...options });
    pair = await Pair.start(() => probeModule({ authentication: [scheme()] }), { logger });
    return pair;
  };

  it('are checked on both bindings, and name the caller; the card says so', async () => {
    const agent = await begin();
    const card = await agent.call({ path: CARD_PATH });
    expect(at(card.body, 'securitySchemes.jwt')).toEqual({
      httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' },
    });
    expect(fetches).toBe(0);
    const headers = bearer(await tokenOf('ann', first));
    expect(at((await agent.call({ ...ME, headers })).body, 'result.task.artifacts.0.parts.0.data.user')).toBe('ann');
    expect((await agent.call(rest('GET', '/tasks', undefined, headers))).status).toBe(200);
    // One for each app.
    expect(fetches).toBe(2);
  });

  it('may be signed with a new key as soon as it is published', async () => {
    const agent = await begin({ jwksCooldownSeconds: 0 });
    expect((await agent.call({ ...ME, headers: bearer(await tokenOf('ann', first)) })).status).toBe(200);
    const headers = bearer(await tokenOf('ann', second));
    expect((await agent.call({ ...ME, headers })).status).toBe(401);
    published = [first.jwk, second.jwk];
    expect((await agent.call({ ...ME, headers })).status).toBe(200);
  });

  it('with unknown keys do not make us knock at the issuer', async () => {
    const agent = await begin();
    const stranger = { ...second, kid: 'unknown' };
    for (let n = 0; n < 5; n++) {
      const answer = await agent.call({ ...ME, headers: bearer(await tokenOf('eve', stranger)) });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, `${BEARER}, error="invalid_token"`]);
    }
    expect(fetches).toBe(2);
  });

  it('cannot be checked while there are no keys: 503, and nothing of why', async () => {
    up = false;
    const agent = await begin();
    const headers = bearer(await tokenOf('ann', first));
    for (let n = 0; n < 3; n++) {
      const answers = await agent.each(async ({ url }) => {
        const response = await fetch(`${url}/a2a/json/tasks`, { headers });
        return [
          response.status,
          Number(response.headers.get('retry-after')) > 0,
          (await response.text()).includes('secret'),
        ];
      });
      expect(answers).toEqual([
        [503, true, false],
        [503, true, false],
      ]);
    }
    expect((await agent.call(ME)).status).toBe(401);
    expect(fetches).toBe(2);
    expect(logger.text).toContain('The keys of a token issuer could not be fetched: The answer has status 500');
    expect(logger.text).not.toContain(headers.authorization.slice(-20));
  });

  it('lack scopes: 403 that names them', async () => {
    const module = () =>
      probeModule({
        agentCard: { name: 'Scoped', securityRequirements: [{ schemes: { jwt: { list: ['tasks:write'] } } }] },
        authentication: [new JwtScheme({ issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [first.jwk] } })],
      });
    pair = await Pair.start(module, { logger });
    const reading = await pair.call({ ...ME, headers: bearer(await tokenOf('ann', first, { scope: 'tasks:read' })) });
    expect([reading.status, at(reading.body, 'error.code')]).toEqual([403, -32091]);
    expect(reading.headers['www-authenticate']).toBe(`${BEARER}, error="insufficient_scope", scope="tasks:write"`);
    const writing = bearer(await tokenOf('ann', first, { scope: 'tasks:read tasks:write' }));
    expect((await pair.call({ ...ME, headers: writing })).status).toBe(200);
  });

  it('come to a scheme that lets go of what it holds when the app closes, however it was given', async () => {
    const options = { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [first.jwk] } };
    const given = new JwtScheme(options);
    const made = new JwtScheme({ ...options, name: 'made' });
    const ends = [given, made].map((scheme) => jest.spyOn(scheme, 'onModuleDestroy'));
    const app = await start('express', probeModule({ authentication: [given, { useFactory: () => made }] }));
    await app.close();
    for (const end of ends) expect(end).toHaveBeenCalledTimes(1);
  });
});
