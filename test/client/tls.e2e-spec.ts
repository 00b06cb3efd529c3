import { createServer, type Server } from 'node:https';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { A2AClient, createTlsContext, type TlsContextOptions } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { closeServer, portOf } from '../net/canary.js';
import { TestAuthority } from '../support/tls/test-authority.js';

const root = TestAuthority.root('Root');
const other = TestAuthority.root('Other');
const agent = root.issue({ name: 'agent', hosts: ['127.0.0.1'] });
const caller = root.issue({ name: 'caller' });
const own = { cert: caller.cert, key: caller.keyPem };

/** An agent that knows its callers by their certificates, and says who they are. */
function answerOf(method: string | undefined, url: string, name: string): object {
  const card: AgentCard = {
    name: 'Certified',
    description: '',
    version: '1',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    securitySchemes: { certificate: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { certificate: { list: [] } } }],
  };
  return method === 'GET'
    ? card
    : { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: `hello ${name}` }] } };
}

describe('A2AClient over TLS', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const options = {
      cert: agent.cert,
      key: agent.keyPem,
      ca: root.cert,
      requestCert: true,
      rejectUnauthorized: false,
    };
    server = createServer(options, ({ method, socket }, response) => {
      const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerOf(method, url, String(name))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `https://127.0.0.1:${portOf(server)}`;
  });
  afterAll(() => closeServer(server));

  it.each<readonly [what: string, tls: TlsContextOptions]>([
    ["an authority of one's own", { ca: root.cert, ...own }],
    ['a revocation list without it', { ca: root.cert, crl: root.revoke([caller]), ...own }],
    ['no check of the chain', { verifyChain: false, ...own }],
  ])('shows a certificate to an agent that asks for it: %s', async (_what, options) => {
    for (const tls of [options, createTlsContext(options)]) {
      const client = await A2AClient.discover(url, { network: { hosts: ['127.0.0.1'] }, tls });
      expect(await client.sendTask('hi')).toBe('hello caller');
      await client.close();
    }
  });

  it.each<readonly [what: string, tls: TlsContextOptions | undefined, code: string]>([
    ['an authority that nobody knows', undefined, 'CONNECT_FAILED'],
    ['another authority', { ca: other.cert, ...own }, 'CONNECT_FAILED'],
    ['a certificate that was revoked', { ca: root.cert, crl: root.revoke([agent]), ...own }, 'CONNECT_FAILED'],
    ['no certificate to show', { ca: root.cert }, 'CREDENTIALS_MISSING'],
    ['a key that is none', { ca: root.cert, ...own, key: 'none' }, 'TLS_CONTEXT'],
  ])('does not call with %s', async (_what, tls, code) => {
    const call = async (): Promise<string> => {
      const client = await A2AClient.discover(url, { network: { hosts: ['127.0.0.1'] }, tls });
      try {
        return await client.sendTask('hi');
      } finally {
        await client.close();
      }
    };
    await expect(call()).rejects.toMatchObject({ code });
  });
});
