import { once } from 'node:events';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AddressPolicy, SafeHttpClient, SafeHttpError, type SafeHttpClientOptions } from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { portOf } from './canary.js';
import { startServer, type ScriptedServer } from './scripted-server.js';

const policy = new AddressPolicy({ hosts: ['hooks.example', '127.0.0.1'], allowHttp: true });
const toLoopback: SafeHttpClientOptions['resolve'] = async () => [{ address: '127.0.0.1', family: 4 }];
const endings: (() => Promise<unknown>)[] = [];

const serve = async (...args: Parameters<typeof startServer>): Promise<ScriptedServer> => {
  const server = await startServer(...args);
  endings.push(() => server.close());
  return server;
};
const clientOf = (options: Partial<SafeHttpClientOptions> = {}): SafeHttpClient => {
  const client = new SafeHttpClient({ policy, resolve: toLoopback, ...options });
  endings.push(() => client.close());
  return client;
};
const at = ({ port }: { readonly port: number }, path = '/'): string => `http://hooks.example:${port}${path}`;
const codeOf = async (action: Promise<unknown>): Promise<string> => {
  const error = await caught(action);
  return error instanceof SafeHttpError ? error.code : String(error);
};

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

describe('SafeHttpClient', () => {
  it('sends what it is given, with the name as Host, and gives back what came', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(201, { 'X-One': 'a', 'Set-Cookie': ['b=1', 'c=2'] }).end('done'),
    );
    const answer = await clientOf().request(at(server, '/hook?a=b%20c'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Token': 't' },
      body: '{"é":1}',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-one': 'a', 'set-cookie': 'b=1, c=2' } });
    expect(answer.body.toString()).toBe('done');
    expect(server.seen).toEqual([
      {
        method: 'POST',
        path: '/hook?a=b%20c',
        headers: {
          host: `hooks.example:${server.port}`,
          connection: 'keep-alive',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'content-length': '8',
          'x-token': 't',
        },
        body: '{"é":1}',
        sni: undefined,
      },
    ]);
  });

  it('keeps a connection for the next request, and no cookie', async () => {
    const server = await serve((_request, response) => response.setHeader('set-cookie', 'a=1').end());
    const client = clientOf();
    await client.request(at(server));
    await new Promise((resolve) => setImmediate(resolve));
    await client.request(at(server));
    expect(server.connections).toHaveLength(1);
    expect(server.seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });

  it.each([301, 302, 303, 307, 308])('gives back a redirect with status %i, and does not follow it', async (status) => {
    const inside = await serve();
    const server = await serve((_request, response) =>
      response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const answer = await clientOf().request(at(server), { method: 'POST', body: '{}' });
    expect(answer).toMatchObject({ status, headers: { location: `http://127.0.0.1:${inside.port}/` } });
    expect(inside.connections).toEqual([]);
  });

  it('uses no proxy of the environment', async () => {
    const proxy = await serve();
    const server = await serve();
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      await clientOf().request(at(server));
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connections).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });

  it('sends nothing at all with a header that could split the request', async () => {
    const server = await serve();
    const send = clientOf().request(at(server), { headers: { 'x-token': 'a\r\nx-evil: 1' } });
    expect(await codeOf(send)).toBe('BAD_HEADER');
    expect(server.connections).toEqual([]);
  });

  it('decompresses nothing', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024));
    const server = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb));
    const { body } = await clientOf().request(at(server));
    expect(body.equals(bomb)).toBe(true);
  });

  it('waits for the next free connection', async () => {
    const server = await serve();
    const client = clientOf({ maxConnectionsPerOrigin: 2 });
    await Promise.all(Array.from({ length: 10 }, () => client.request(at(server))));
    expect(server.seen).toHaveLength(10);
    expect(server.connections).toHaveLength(2);
  });
});

describe('SafeHttpClient, the size of an answer', () => {
  const long = Buffer.alloc(5000, 'x');
  const ways = {
    'said before': async () => serve((_request, response) => response.setHeader('content-length', 5000).end(long)),
    'not said': async () => serve((_request, response) => response.write(long) && response.end(long)),
    endless: async () => serve((_request, response) => void response.write(long)),
  };

  it.each(Object.entries(ways))('fails beyond the limit: %s', async (_name, open) => {
    const server = await open();
    expect(await codeOf(clientOf({ maxAnswerBytes: 4999 }).request(at(server)))).toBe('ANSWER_TOO_LARGE');
  });

  it.each(Object.entries(ways))('is cut where that is wanted: %s', async (_name, open) => {
    const server = await open();
    const { status, body } = await clientOf().request(at(server), { maxAnswerBytes: 1000, cutAnswer: true });
    expect({ status, size: body.length }).toEqual({ status: 200, size: 1000 });
  });

  it.each([true, false])('leaves a server that goes on sending; the answer is cut: %s', async (cutAnswer) => {
    const server = await ways.endless();
    await clientOf()
      .request(at(server), { maxAnswerBytes: 1000, cutAnswer })
      .catch(() => undefined);
    await closed(server);
    expect(server.seen).toHaveLength(1);
  });

  it('may be the limit itself', async () => {
    const server = await serve((_request, response) => response.end(long));
    const { body } = await clientOf().request(at(server), { maxAnswerBytes: 5000 });
    expect(body.equals(long)).toBe(true);
  });

  it('has a limit for headers', async () => {
    const server = await serve((_request, response) => response.setHeader('x-long', 'x'.repeat(17000)).end());
    expect(await codeOf(clientOf().request(at(server)))).toBe('ANSWER_TOO_LARGE');
  });
});

describe('SafeHttpClient, what fails', () => {
  it('a port where nobody listens', async () => {
    const server = await startServer();
    await server.close();
    const error = await caught(clientOf().request(at(server)));
    expect(error).toMatchObject({ code: 'CONNECT_FAILED', message: 'The connection failed (ECONNREFUSED)' });
  });

  it('an answer that never starts', async () => {
    const server = await serve(() => undefined);
    expect(await codeOf(clientOf({ headersTimeoutMs: 20 }).request(at(server)))).toBe('TIMEOUT');
  });

  it('an answer that never ends, by the limit for all of it', async () => {
    const server = await serve((_request, response) => void response.write('x'));
    expect(await codeOf(clientOf().request(at(server), { totalTimeoutMs: 30 }))).toBe('TIMEOUT');
    await closed(server);
  });

  it('a peer that accepts and does not speak TLS', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const arrived = once(silent, 'connection');
    const request = clientOf({ connectTimeoutMs: 30 }).request(`https://hooks.example:${portOf(silent)}/`);
    expect(await codeOf(request)).toBe('TIMEOUT');
    const [socket] = await arrived;
    await once(socket.resume(), 'close');
    await new Promise((resolve) => silent.close(resolve));
  });

  it.each(['limit', 'caller'])('a greeting that takes longer than the %s lets it', async (whose) => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const arrived = once(silent, 'connection');
    const stop = new AbortController();
    const client = clientOf({ connectTimeoutMs: 60_000, totalTimeoutMs: whose === 'limit' ? 30 : 60_000 });
    const request = caught(client.request(`https://hooks.example:${portOf(silent)}/`, { signal: stop.signal }));
    await arrived;
    if (whose === 'caller') stop.abort(new Error('enough'));
    expect(await request).toMatchObject({ message: whose === 'limit' ? 'No whole answer within 30 ms' : 'enough' });
    await client.close();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('a request that waits for a connection longer than it may, while another holds it', async () => {
    const server = await serve(() => undefined);
    const client = clientOf({ maxConnectionsPerOrigin: 1, totalTimeoutMs: 60_000 });
    const first = codeOf(client.request(at(server)));
    await arrival(server);
    expect(await codeOf(client.request(at(server), { totalTimeoutMs: 20 }))).toBe('TIMEOUT');
    await client.close();
    expect(await first).toBe('CLOSED');
    expect(server.seen).toHaveLength(1);
  });

  it('a peer that does not speak HTTP', async () => {
    const babble = createServer((socket) =>
      socket
        .resume()
        .on('error', () => undefined)
        .end('SSH-2.0-OpenSSH\r\n'),
    );
    await new Promise<void>((resolve) => babble.listen(0, '127.0.0.1', resolve));
    expect(await codeOf(clientOf().request(at({ port: portOf(babble) })))).toBe('CONNECT_FAILED');
    await new Promise((resolve) => babble.close(resolve));
  });

  it('a peer that hangs up', async () => {
    const server = await serve((request) => request.socket.destroy());
    expect(await codeOf(clientOf().request(at(server)))).toBe('CONNECT_FAILED');
  });

  it.each<readonly [name: string, resolve: NonNullable<SafeHttpClientOptions['resolve']>]>([
    ['cannot be resolved', async () => Promise.reject(new Error('ENOTFOUND'))],
    ['has no address', async () => []],
  ])('a name that %s', async (_name, resolve) => {
    expect(await codeOf(clientOf({ resolve }).request('http://hooks.example/'))).toBe('DNS_FAILED');
  });

  it('a resolver that never answers, asked once for all who wait', async () => {
    let asked = 0;
    const resolve = (): Promise<never> => {
      asked += 1;
      return new Promise(() => undefined);
    };
    const client = clientOf({ resolve, totalTimeoutMs: 20 });
    const requests = [1, 2, 3].map(() => codeOf(client.request('http://hooks.example/')));
    expect(await Promise.all(requests)).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT']);
    expect(asked).toBe(1);
  });

  it('a crowd of names that the resolver does not answer for', async () => {
    const open = new AddressPolicy({ allowHttp: true });
    const client = clientOf({ policy: open, resolve: () => new Promise(() => undefined), totalTimeoutMs: 60000 });
    const waiting = Array.from({ length: 256 }, (_, index) => codeOf(client.request(`http://a${index}.example/`)));
    expect(await codeOf(client.request('http://one-more.example/'))).toBe('DNS_FAILED');
    await client.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['CLOSED']));
  });
});

describe('SafeHttpClient, its end', () => {
  it('throws the reason of the signal it is given, before and while it works', async () => {
    const server = await serve(() => undefined);
    const client = clientOf();
    const stop = new AbortController();
    const request = caught(client.request(at(server), { signal: stop.signal }));
    await arrival(server);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await request).toBe(reason);
    await closed(server);
    expect(await caught(client.request(at(server), { signal: stop.signal }))).toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  it('makes no other connection for a request that was given up', async () => {
    const server = await serve((request, response) => request.url === '/hang' || response.end());
    const client = clientOf();
    const stop = new AbortController();
    const request = caught(client.request(at(server, '/hang'), { signal: stop.signal }));
    await arrival(server);
    stop.abort(new Error('enough'));
    await request;
    await closed(server);
    // Whatever the first client began would come in before this one.
    await clientOf().request(at(server));
    expect(server.connections).toHaveLength(2);
  });

  it('ends what runs, hangs up, and takes nothing more', async () => {
    const server = await serve(() => undefined);
    const client = clientOf();
    const running = codeOf(client.request(at(server)));
    await arrival(server);
    await client.close();
    expect(await running).toBe('CLOSED');
    expect(await codeOf(client.request(at(server)))).toBe('CLOSED');
    await closed(server);
    expect(server.seen).toHaveLength(1);
  });

  it('hangs up on a greeting in progress', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const arrived = once(silent, 'connection');
    const client = clientOf();
    const running = codeOf(client.request(`https://hooks.example:${portOf(silent)}/`));
    const [socket] = await arrived;
    await client.close();
    expect(await running).toBe('CLOSED');
    await once(socket.resume(), 'close');
    await new Promise((resolve) => silent.close(resolve));
  });
});

/** The server has got a request. */
async function arrival(server: ScriptedServer): Promise<void> {
  while (server.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
}

/** The client has left the server's first connection. */
async function closed({ connections: [socket] }: ScriptedServer): Promise<void> {
  if (!socket) throw new Error('Nobody connected');
  // Not once(): that one would fail with whatever the socket fails with.
  if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
}
