import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressPolicy, SafeHttpClient, type SafeHttpClientOptions } from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { TEST_CERTIFICATE } from '../support/tls/test-certificate.js';
import { startServer, type ScriptedServer } from './scripted-server.js';

const policy = new AddressPolicy({ cidrs: ['127.0.0.0/8'] });
const clientOf = (tls?: SafeHttpClientOptions['tls']): SafeHttpClient =>
  new SafeHttpClient({ policy, tls, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });

describe('TLS to a checked address', () => {
  let server: ScriptedServer;
  let client: SafeHttpClient;
  beforeAll(async () => {
    server = await startServer(undefined, { secure: true });
    client = clientOf({ ca: TEST_CERTIFICATE });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  it.each([
    ['a name', 'hooks.example', 'hooks.example'],
    ['a name with a dot at its end', 'hooks.example.', 'hooks.example'],
    ['an address, which has no name to show', '127.0.0.1', false],
  ])('keeps %s: in Host, in the greeting, and against the certificate', async (_what, host, sni) => {
    const answer = await client.request(`https://${host}:${server.port}/`);
    expect(answer.status).toBe(200);
    expect(server.seen.at(-1)).toMatchObject({ sni, headers: { host: `${host}:${server.port}` } });
  });

  it.each([
    ['a name that the certificate is not for', 'other.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['a name below the right one', 'a.hooks.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['an address that the certificate is not for', '127.0.0.2', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('refuses %s', async (_what, host, code) => {
    const before = server.seen.length;
    const other = host === '127.0.0.2' ? await startServer(undefined, { secure: true, host }) : server;
    const error = await caught(client.request(`https://${host}:${other.port}/`));
    expect(error).toMatchObject({ code: 'TLS_FAILED', cause: { code } });
    expect(other.seen).toHaveLength(other === server ? before : 0);
    if (other !== server) await other.close();
  });

  it('refuses an authority that nobody trusts, whatever the environment allows', async () => {
    // Jest hands tests a copy of the environment; Node's own code reads this one.
    const environment: NodeJS.ProcessEnv = runInThisContext('process.env');
    const before = environment['NODE_TLS_REJECT_UNAUTHORIZED'];
    environment['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const strict = clientOf();
    try {
      const error = await caught(strict.request(`https://hooks.example:${server.port}/`));
      expect(error).toMatchObject({ code: 'TLS_FAILED', cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    } finally {
      if (before === undefined) delete environment['NODE_TLS_REJECT_UNAUTHORIZED'];
      else environment['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
      await strict.close();
    }
  });
});
