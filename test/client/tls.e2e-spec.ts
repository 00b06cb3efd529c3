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

function cardOf(url: string): AgentCard {
  return {
    name: 'Certified',
    description: '',
    version: '1',
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    securitySchemes: { certificate: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { certificate: { list: [] } } }],
  };
}

/** An agent that knows its callers by their certificates, and says who they are. */
function answerOf(method: string | undefined, url: string, name: string): object {
  return method === 'GET'
    ? cardOf(url)
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
    ['an authority that nobody knows', undefined, 'TLS_FAILED'],
    ['another authority', { ca: other.cert, ...own }, 'TLS_FAILED'],
    ['a certificate that was revoked', { ca: root.cert, crl: root.revoke([agent]), ...own }, 'TLS_FAILED'],
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

  it.each<readonly [what: string, host: string, tls: TlsContextOptions | undefined, fix: string]>([
    ['another host', 'localhost', { ca: root.cert, ...own }, 'a name that is in the certificate'],
    ['another authority', '127.0.0.1', undefined, 'tls.ca or tls.caFile'],
    ['a revoked one', '127.0.0.1', { ca: root.cert, crl: root.revoke([agent]), ...own }, 'revoked'],
    ['no list', '127.0.0.1', { ca: root.cert, crl: other.revoke([]), ...own }, 'tls.crl or tls.crlFile'],
  ])('does not try again where nothing can change: %s', async (_what, host, tls, fix) => {
    const waits: number[] = [];
    const options = {
      network: 'any',
      tls,
      wait: async (milliseconds: number) => void waits.push(milliseconds),
    } as const;
    const client = new A2AClient(options);
    const there = url.replace('127.0.0.1', host);
    const bound = client.at({ ...cardOf(there), securityRequirements: [] });
    const fault = { code: 'TLS_FAILED', message: expect.stringContaining(fix) };
    await expect(bound.getTask('t')).rejects.toMatchObject(fault);
    await expect(bound.subscribeToTask('t').result()).rejects.toMatchObject(fault);
    await expect(client.connect(there)).rejects.toMatchObject(fault);
    expect(waits).toEqual([]);
    await client.close();
  });
});
