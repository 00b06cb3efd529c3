import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DefaultWorkflowEngineClient,
  LoadPsop,
  MessageContent,
  OrchestrationAccountAuth,
  RegistryClient,
  SslContextFactory,
  type SslContextSettings,
  TlsPolicy,
  workflowEngineClientConfig,
} from 'nestjs-a2a/workflow';
import { closeServer, portOf } from '../net/canary.js';
import { bareCard } from '../support/bare-card.js';
import { caught } from '../support/caught.js';
import { encryptedKey, TestAuthority, type TestIdentity } from '../support/tls/test-authority.js';

const root = TestAuthority.root('Root');
const other = TestAuthority.root('Other');
const HERE = '127.0.0.1';
const right = root.issue({ name: HERE, hosts: [HERE] });
const elsewhere = root.issue({ name: 'other.example', hosts: ['other.example'] });
const untrusted = other.issue({ name: HERE, hosts: [HERE] });
const expired = root.issue({ name: HERE, hosts: [HERE], expired: true });
const caller = root.issue({ name: 'caller' });
const stranger = other.issue({ name: 'caller' });

const folder = mkdtempSync(join(tmpdir(), 'workflow-tls-'));
const fileOf = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const ca = fileOf('ca.pem', root.cert);
const cert = fileOf('cert.pem', caller.cert);
const filesOf = (name: string, identity: TestIdentity): SslContextSettings => ({
  clientCertPath: fileOf(`${name}-cert.pem`, identity.cert),
  clientKeyPath: fileOf(`${name}-key.pem`, identity.keyPem),
});
const encryptedDer = (passphrase: string): Buffer =>
  caller.key.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase });
const key = fileOf('key.pem', caller.keyPem);

type ServerName = 'right' | 'wrong host' | 'untrusted' | 'asks for a certificate' | 'expired';
interface TlsServer {
  readonly server: Server;
  readonly url: string;
  /** Who has asked, by their certificates. */
  readonly callers: unknown[];
}
const servers = new Map<ServerName, TlsServer>();

async function body(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

async function answerTo(request: IncomingMessage): Promise<object> {
  const { url = '' } = request;
  if (url.startsWith('/rest/')) return { agentCards: [] };
  if (url.endsWith('/search')) return { data: [] };
  if (url.includes('/psop/')) return { data: { id: 'p', steps: [] } };
  if (url === '/login') return { accessSession: 'T' };
  if (url.endsWith('/token')) return { access_token: 'T', token_type: 'Bearer', expires_in: 60 };
  const { message } = JSON.parse(await body(request));
  return { task: { id: 't', contextId: message.contextId, status: { state: 'TASK_STATE_COMPLETED' } } };
}

async function serve(name: ServerName, identity: TestIdentity, options: ServerOptions = {}): Promise<void> {
  const callers: unknown[] = [];
  const server = createServer({ cert: identity.cert, key: identity.keyPem, ...options }, async (request, response) => {
    const { socket } = request;
    callers.push(socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(await answerTo(request)));
  });
  await new Promise<void>((listening) => server.listen(0, HERE, listening));
  servers.set(name, { server, url: `https://${HERE}:${portOf(server)}`, callers });
}

function serverOf(name: ServerName): TlsServer {
  const server = servers.get(name);
  if (!server) throw new Error(`No server '${name}'`);
  return server;
}

async function viaRegistry(client: RegistryClient): Promise<unknown> {
  return client.fetchAgentCards().finally(() => client.close());
}

async function viaAgent(url: string, settings: SslContextSettings, login?: string): Promise<unknown> {
  const card = bareCard({
    supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
    securitySchemes: { s: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
    securityRequirements: login === undefined ? [] : [{ schemes: { s: { list: [] } } }],
  });
  const credentialsConfig = login === undefined ? null : { A: { s: { login_url: login } } };
  const client = new DefaultWorkflowEngineClient([card], {
    config: workflowEngineClientConfig({ ...settings, credentialsConfig }),
  });
  return client.sendTask('A', MessageContent.text('go')).finally(() => client.close());
}

const policies: Record<string, () => TlsPolicy> = {
  strict: () => TlsPolicy.strict(),
  trustedCa: () => TlsPolicy.trustedCa(ca),
  insecure: () => TlsPolicy.insecure(),
  mutualTls: () => TlsPolicy.mutualTls({ caCertsPath: ca, clientCertPath: cert, clientKeyPath: key }),
};
const policyOf = (name: string): TlsPolicy => {
  const make = policies[name];
  if (!make) throw new Error(`No policy '${name}'`);
  return make();
};

const ways: Record<string, (url: string, policy: string) => Promise<unknown>> = {
  'registry client': (url, policy) => viaRegistry(new RegistryClient(url, null, policyOf(policy))),
  loading: (url, policy) => LoadPsop.load(url, 'p', null, policyOf(policy)),
  searching: (url, policy) => LoadPsop.search(url, 'x', 5, null, policyOf(policy)),
  'account login': async (url, policy) =>
    new OrchestrationAccountAuth(url, 'u', 'p', policyOf(policy)).headersFor(new URL(`${url}/api/v1/orchestrate/x`)),
  'registry client, sslVerify': (url, policy) => viaRegistry(new RegistryClient(url, policy === 'true')),
  'loading, sslVerify': (url, policy) => LoadPsop.load(url, 'p', null, policy === 'true'),
  'searching, sslVerify': (url, policy) => LoadPsop.search(url, 'x', 5, null, policy === 'true'),
  agent: (url, policy) => viaAgent(url, policy === 'ca' ? { caCertsPath: ca } : { sslVerify: policy === 'true' }),
  'login for an agent': (url, policy) => {
    const settings = policy === 'ca' ? { caCertsPath: ca } : { sslVerify: policy === 'true' };
    return viaAgent(serverOf('right').url, { ...settings }, `${url}/login`);
  },
  'agent, with a certificate': (url, policy) =>
    viaAgent(url, { sslVerify: policy === 'true', caCertsPath: ca, clientCertPath: cert, clientKeyPath: key }),
};

beforeAll(async () => {
  await serve('right', right);
  await serve('wrong host', elsewhere);
  await serve('untrusted', untrusted);
  await serve('expired', expired);
  await serve('asks for a certificate', right, { ca: [root.cert], requestCert: true, rejectUnauthorized: true });
});
afterAll(async () => {
  await Promise.all([...servers.values()].map(({ server }) => closeServer(server)));
  rmSync(folder, { recursive: true });
});

/** Which servers a policy lets through: right, wrong host, untrusted, one that asks for a certificate, expired. */
const ROWS: readonly (readonly [way: string, policy: string, passes: string])[] = [
  ...['registry client', 'loading', 'searching', 'account login'].flatMap((way) => [
    [way, 'strict', '.....'] as const,
    [way, 'trustedCa', 'r....'] as const,
    [way, 'insecure', 'rwu.e'] as const,
    [way, 'mutualTls', 'r..a.'] as const,
  ]),
  ['registry client, sslVerify', 'true', '.....'],
  ['registry client, sslVerify', 'false', 'r.u.e'],
  ['loading, sslVerify', 'true', '.....'],
  ['loading, sslVerify', 'false', 'rwu.e'],
  ['searching, sslVerify', 'true', '.....'],
  ['searching, sslVerify', 'false', 'rwu.e'],
  ['agent', 'true', '.....'],
  ['agent', 'false', 'r.u.e'],
  ['agent', 'ca', 'r....'],
  ['login for an agent', 'false', 'r.u.e'],
  ['login for an agent', 'ca', 'r....'],
  ['agent, with a certificate', 'true', 'r..a.'],
  ['agent, with a certificate', 'false', 'r.uae'],
];
const NAMES: readonly ServerName[] = ['right', 'wrong host', 'untrusted', 'asks for a certificate', 'expired'];

describe.each(ROWS)('%s by %s', (way, policy, passes) => {
  it.each(NAMES.map((name, at) => [passes[at] === '.' ? 'refuses' : 'accepts', name] as const))(
    '%s: %s',
    async (verdict, name) => {
      const { url, callers } = serverOf(name);
      const before = callers.length;
      const call = ways[way]?.(url, policy);
      if (!call) throw new Error(`No way '${way}'`);
      if (verdict === 'refuses') {
        expect((await caught(call)).message).toMatch(/TLS failed|connection/);
        expect(callers).toHaveLength(before);
      } else {
        await call;
        expect(callers.length).toBeGreaterThan(before);
      }
      if (name === 'asks for a certificate' && verdict === 'accepts') expect(callers.at(-1)).toBe('caller');
    },
  );
});

describe('TLS', () => {
  it('leaves the rest of the process alone', async () => {
    const { url } = serverOf('right');
    await LoadPsop.load(url, 'p', null, false);
    expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBeUndefined();
    expect((await caught(fetch(url))).message).toBe('fetch failed');
  });

  const der = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  it.each<readonly [what: string, settings: () => SslContextSettings, error?: string]>([
    ['a revocation list without the server', () => ({ crlPath: fileOf('good.crl', root.revoke([])) })],
    ['a revocation list in DER', () => ({ crlPath: fileOf('der.crl', der(root.revoke([]))) })],
    [
      'a revocation list with the server',
      () => ({ crlPath: fileOf('bad.crl', root.revoke([right])) }),
      'TLS failed (CERT_REVOKED)',
    ],
    [
      'a revocation list in DER with the server',
      () => ({ crlPath: fileOf('bad-der.crl', der(root.revoke([right]))) }),
      'TLS failed (CERT_REVOKED)',
    ],
  ])('asks %s', async (_what, settings, error = '') => {
    const call = viaAgent(serverOf('right').url, { caCertsPath: ca, ...settings() });
    if (error === '') expect(await call).toMatchObject({ taskState: 'TASK_STATE_COMPLETED' });
    else expect((await caught(call)).message).toContain(error);
  });

  it.each<readonly [what: string, settings: SslContextSettings]>([
    ['an encrypted key', { clientKeyPath: fileOf('enc.pem', encryptedKey(caller, 'pw')), clientKeyPassword: 'pw' }],
    ['a key in DER', { clientKeyPath: fileOf('key.der', caller.key.export({ type: 'pkcs8', format: 'der' })) }],
    ['an encrypted key in DER', { clientKeyPath: fileOf('enc.der', encryptedDer('pw')), clientKeyPassword: 'pw' }],
    ...(['rsa', 'ed25519'] as const).map((keyType): [string, SslContextSettings] => [
      `a key of ${keyType}`,
      filesOf(keyType, root.issue({ name: 'caller', keyType })),
    ]),
  ])('shows a certificate by %s', async (_what, settings) => {
    const { url, callers } = serverOf('asks for a certificate');
    await viaAgent(url, { caCertsPath: ca, clientCertPath: cert, ...settings });
    expect(callers.at(-1)).toBe('caller');
  });
});

describe('TLS of one version', () => {
  it.each([
    ['TLSv1.2', 'TLSv1.2'],
    ['TLSv1.3', 'TLSv1.3'],
  ] as const)('is spoken with a certificate, or refused without: %s', async (minVersion, maxVersion) => {
    const name = 'asks for a certificate';
    const before = serverOf(name);
    const demands: ServerOptions = { ca: [root.cert], requestCert: true, minVersion, maxVersion };
    await serve(name, right, demands);
    const { server, url, callers } = serverOf(name);
    servers.set(name, before);
    const settings = { caCertsPath: ca, clientCertPath: cert, clientKeyPath: key };
    const refused = { ...settings, ...filesOf('stranger', stranger) };
    try {
      await viaAgent(url, settings);
      for (const wrong of [{ caCertsPath: ca }, refused]) {
        const error = await caught(viaAgent(url, wrong));
        expect(error.message).toMatch(/^Agent call failed: .*(TLS failed|The connection failed)/);
      }
      expect(callers).toEqual(['caller']);
    } finally {
      await closeServer(server);
    }
  });
});

describe('a TLS context that cannot be made', () => {
  const sec1 = caller.key.export({ type: 'sec1', format: 'pem' }).toString();
  const both = { clientCertPath: cert, clientKeyPath: key };
  it.each<readonly [cause: string, settings: SslContextSettings]>([
    ['CA file contains no certificates', { caCertsPath: fileOf('empty.pem', '') }],
    ['CA file contains no certificates', { caCertsPath: key }],
    ['CA file cannot be read: /none', { caCertsPath: '/none' }],
    ['Both client certificate and private key are required for mTLS', { clientCertPath: cert }],
    ['Both client certificate and private key are required for mTLS', { clientKeyPath: key }],
    ['Client certificate file cannot be read: /none', { ...both, clientCertPath: '/none' }],
    ['Private key file cannot be read: /none', { ...both, clientKeyPath: '/none' }],
    ['Only PKCS#8 PEM private keys are supported', { ...both, clientKeyPath: fileOf('sec1.pem', sec1) }],
    [
      'An encrypted private key needs clientKeyPassword',
      { ...both, clientKeyPath: fileOf('enc2.pem', encryptedKey(caller, 'pw')) },
    ],
    [
      'the key cannot be read',
      { ...both, clientKeyPath: fileOf('enc3.pem', encryptedKey(caller, 'pw')), clientKeyPassword: 'hunter2' },
    ],
    ['the key cannot be read', { ...both, clientKeyPath: fileOf('damaged.der', 'x') }],
    ['the key is not the one of the certificate', { ...both, clientKeyPath: fileOf('other.pem', right.keyPem) }],
    ['CRL file cannot be read: /none', { crlPath: '/none' }],
    ['CRL file contains no X.509 CRL', { crlPath: ca }],
    ['is damaged', { crlPath: fileOf('damaged.crl', '0 damaged') }],
    ['crl says which certificates', { sslVerify: false, crlPath: fileOf('ok.crl', root.revoke([])) }],
  ])('says why: %s', async (cause, settings) => {
    const failure = expect.objectContaining({
      code: 'workflow.tls',
      message: 'Failed to build outbound TLS context',
      cause: expect.objectContaining({ message: expect.stringContaining(cause) }),
    });
    expect(() => SslContextFactory.create(settings)).toThrow(failure);
    expect(() => new DefaultWorkflowEngineClient([], { config: workflowEngineClientConfig({ ...settings }) })).toThrow(
      failure,
    );
    expect(() => SslContextFactory.create(settings)).not.toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringContaining('hunter2') }) }),
    );
  });

  it('stops a policy as well', () => {
    expect(() => TlsPolicy.trustedCa('/none')).toThrow('Failed to build outbound TLS context');
    expect(() => TlsPolicy.mutualTls({ clientCertPath: cert, clientKeyPath: '/none' })).toThrow(
      'Failed to build outbound TLS context',
    );
  });
});
