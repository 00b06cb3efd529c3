import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AddressPolicy,
  createTlsContext,
  SafeHttpClient,
  type SafeAnswer,
  TlsContextError,
  type TlsContextOptions,
} from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { encryptedKey, TestAuthority, type TestIdentity } from '../support/tls/test-authority.js';
import { closeServer, portOf } from './canary.js';

const HOST = 'agent.example';
const root = TestAuthority.root('Root');
const other = TestAuthority.root('Other');
const below = root.intermediate('Below');
const good = root.issue({ name: HOST, hosts: [HOST, '127.0.0.1'] });
const expired = root.issue({ name: HOST, hosts: [HOST], expired: true });
const elsewhere = root.issue({ name: 'other.example', hosts: ['other.example'] });
const deep = below.issue({ name: HOST, hosts: [HOST] });
const caller = below.issue({ name: 'caller' });
const chained = (identity: TestIdentity): TestIdentity => ({ ...identity, cert: identity.cert + below.cert });

const policy = new AddressPolicy({ cidrs: ['127.0.0.0/8'] });
const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
const cleanUp: (() => Promise<unknown>)[] = [];

async function serve({ cert, keyPem }: TestIdentity, options: ServerOptions = {}): Promise<Server> {
  const server = createServer({ cert, key: keyPem, ...options }, ({ socket }, response) => {
    const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
    response.end(`hello ${String(name)}`);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  cleanUp.push(() => closeServer(server));
  return server;
}

/** A TLS record that says what is wrong, and ends it. */
function alert(description: number): Buffer {
  return Buffer.from([21, 3, 3, 0, 2, 2, description]);
}

async function ask(server: Pick<Server, 'address'>, options: TlsContextOptions, host = HOST): Promise<SafeAnswer> {
  const client = new SafeHttpClient({ policy, resolve, tls: createTlsContext(options) });
  cleanUp.push(() => client.close());
  return client.request(`https://${host}:${portOf(server)}/`);
}

describe('a TLS context in use', () => {
  afterEach(async () => {
    await Promise.all(cleanUp.splice(0).map((close) => close()));
  });

  it.each<readonly [what: string, identity: TestIdentity, options: TlsContextOptions]>([
    ['a certificate of the given authority', good, { ca: root.cert }],
    ['one of several authorities', good, { ca: [other.cert, root.cert] }],
    ['several authorities in one text', good, { ca: other.cert + root.cert }],
    ['an authority between', chained(deep), { ca: root.cert }],
    ['a certificate that is not on the list', good, { ca: root.cert, crl: root.revoke([elsewhere]) }],
    [
      'a chain, with a list of each authority',
      chained(deep),
      { ca: root.cert, crl: [root.revoke([]), below.revoke([])] },
    ],
    ['an unknown authority, when nobody checks the chain', good, { verifyChain: false }],
    ['an expired certificate, when nobody checks the chain', expired, { verifyChain: false }],
  ])('accepts %s', async (_what, identity, options) => {
    expect(await ask(await serve(identity), options)).toMatchObject({ status: 200 });
  });

  it.each<readonly [what: string, identity: TestIdentity, options: TlsContextOptions, code: string, fix: string]>([
    ['another host', elsewhere, { ca: root.cert }, 'ERR_TLS_CERT_ALTNAME_INVALID', 'a name that is in the certificate'],
    ['an expired certificate', expired, { ca: root.cert }, 'CERT_HAS_EXPIRED', 'renewed'],
    ['another authority', good, { ca: other.cert }, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls.caFile'],
    ['an authority that only somebody else knows', good, {}, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls.caFile'],
    [
      'a revoked certificate',
      good,
      { ca: root.cert, crl: root.revoke([elsewhere, good]) },
      'CERT_REVOKED',
      'another one',
    ],
    [
      'a revoked authority between',
      chained(deep),
      { ca: root.cert, crl: [root.revoke([below.identity]), below.revoke([])] },
      'CERT_REVOKED',
      'another one',
    ],
    ['a list of another authority', good, { ca: root.cert, crl: other.revoke([]) }, 'UNABLE_TO_GET_CRL', 'tls.crlFile'],
    [
      'a list that has run out',
      good,
      { ca: root.cert, crl: root.revoke([], { expired: true }) },
      'CRL_HAS_EXPIRED',
      'tls.crlFile',
    ],
    [
      'another host, though nobody checks the chain',
      elsewhere,
      { verifyChain: false },
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'a name that is in the certificate',
    ],
  ])('refuses %s', async (_what, identity, options, code, fix) => {
    const server = await serve(identity);
    let requests = 0;
    server.on('request', () => (requests += 1));
    const error = await caught(ask(server, options));
    expect(error).toMatchObject({ code: 'TLS_FAILED', cause: { code }, message: expect.stringContaining(fix) });
    expect(requests).toBe(0);
  });

  it('checks addresses as well as names when nobody checks the chain', async () => {
    const wide = root.issue({ name: HOST, hosts: [HOST] });
    expect(await ask(await serve(good), { verifyChain: false }, '127.0.0.1')).toMatchObject({ status: 200 });
    await expect(ask(await serve(wide), { verifyChain: false }, '127.0.0.1')).rejects.toMatchObject({
      cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    });
  });

  it('belongs to its client alone', async () => {
    const server = await serve(good);
    await ask(server, { ca: root.cert });
    await ask(server, { verifyChain: false });
    await expect(ask(server, {})).rejects.toMatchObject({ code: 'TLS_FAILED' });
  });

  describe('with a client certificate', () => {
    const mutual: ServerOptions = { ca: root.cert, requestCert: true, rejectUnauthorized: true };
    const cert = caller.cert + below.cert;
    const keyDer = caller.key.export({ type: 'pkcs8', format: 'der' });

    it.each<readonly [what: string, options: TlsContextOptions]>([
      ['a chain and a PKCS#8 key', { ca: root.cert, cert, key: caller.keyPem }],
      ['a key as DER', { ca: root.cert, cert, key: keyDer }],
      [
        'an encrypted key',
        { ca: root.cert, cert, key: encryptedKey(caller, 'open sesame'), keyPassphrase: 'open sesame' },
      ],
      ['no check of the other side', { verifyChain: false, cert, key: caller.keyPem }],
    ])('shows it: %s', async (_what, options) => {
      const answer = await ask(await serve(good, mutual), options);
      expect(answer.body.toString()).toBe('hello caller');
    });

    it.each<readonly [what: string, options: TlsContextOptions]>([
      ['none', { ca: root.cert }],
      ['one whose authority the server cannot find', { ca: root.cert, cert: caller.cert, key: caller.keyPem }],
    ])('is refused by a server that wants a better one: %s', async (_what, options) => {
      // A server of Node hangs up without a word.
      await expect(ask(await serve(good, mutual), options)).rejects.toMatchObject({ code: 'CONNECT_FAILED' });
    });
  });

  it.each<readonly [what: string, answer: string | Buffer, option: string]>([
    ['handshake_failure', alert(40), 'tls.cert'],
    ['bad_certificate', alert(42), 'tls.cert and tls.key'],
    ['certificate_expired', alert(45), 'tls.cert and tls.key'],
    ['unknown_ca', alert(48), 'tls.cert and tls.key'],
    ['protocol_version', alert(70), 'a version of TLS'],
    ['certificate_required', alert(116), 'tls.cert and tls.key'],
    ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'http:'],
  ])('says what to do when the answer to its greeting is %s', async (_what, answer, option) => {
    const server = createTcpServer((socket) =>
      socket
        .resume()
        .on('error', () => undefined)
        .end(answer),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    cleanUp.push(() => new Promise((closed) => server.close(closed)));
    const error = await caught(ask(server, { ca: root.cert }));
    expect(error).toMatchObject({ code: 'TLS_FAILED', message: expect.stringContaining(option) });
  });
});

describe('createTlsContext', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  let files: TlsContextOptions;
  beforeAll(() => {
    files = {
      caFile: file('ca.pem', root.cert),
      certFile: file('cert.pem', caller.cert),
      keyFile: file('key.der', caller.key.export({ type: 'pkcs8', format: 'der' })),
      crlFile: file('crl.pem', root.revoke([])),
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads files', () => {
    expect(createTlsContext(files)).toMatchObject({ verifyChain: true, hasClientCertificate: true });
  });

  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const secret = encryptedKey(caller, 'open sesame');
  it.each<readonly [fault: string, options: TlsContextOptions]>([
    ['the caFile cannot be read', { caFile: join(folder, 'missing.pem') }],
    ['ca holds no certificates in PEM', { ca: 'nothing' }],
    ['ca holds no certificates in PEM', { ca: '' }],
    ['a certificate in ca is damaged', { ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' }],
    ['crl holds no revocation lists', { crl: root.cert }],
    ['is damaged', { crl: '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----' }],
    ['crl says which certificates', { crl: root.revoke([]), verifyChain: false }],
    ['ca and caFile are both given', { ca: root.cert, caFile: join(folder, 'ca.pem') }],
    ['needs both its chain (cert) and its key (key)', { cert: caller.cert }],
    ['needs both its chain (cert) and its key (key)', { key: caller.keyPem }],
    ['keyPassphrase is given, and no key', { keyPassphrase: 'open sesame' }],
    ['the client certificate is not a PEM certificate', { cert: 'nothing', key: caller.keyPem }],
    ['the key is not the one of the certificate', { cert: caller.cert, key: good.keyPem }],
    [
      'the key is PEM, but not PKCS#8',
      { cert: caller.cert, key: ec.export({ type: 'sec1', format: 'pem' }).toString() },
    ],
    ['the key is encrypted: give its keyPassphrase', { cert: caller.cert, key: secret }],
    ['keyPassphrase is wrong', { cert: caller.cert, key: secret, keyPassphrase: 'open barley' }],
    ['the key cannot be read', { cert: caller.cert, key: Buffer.from('nothing') }],
  ])('says what is wrong: %s', (fault, options) => {
    const attempt = (): unknown => createTlsContext(options);
    expect(attempt).toThrow(TlsContextError);
    expect(attempt).toThrow(fault);
    expect(attempt).not.toThrow(/sesame|barley/);
  });
});
