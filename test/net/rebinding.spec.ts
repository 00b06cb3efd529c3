import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AddressPolicy, ForbiddenTargetError, SafeHttpClient, type HostResolver } from 'nestjs-a2a/net';
import { caught } from '../support/caught.js';
import { startServer, type ScriptedServer } from './scripted-server.js';

// The whole of 127.0.0.0/8 is this machine: 127.0.0.2 and 127.0.0.3 play the internet, 127.0.0.1 is inside.
const OUTSIDE = '127.0.0.2';
const ELSEWHERE = '127.0.0.3';
const INSIDE = '127.0.0.1';
const policy = new AddressPolicy({ cidrs: [`${OUTSIDE}/32`, `${ELSEWHERE}/32`], allowHttp: true });

/** Answers by turns; the last answer stays. */
function flipping(...turns: readonly string[][]): { resolve: HostResolver; asked: () => number } {
  let asked = 0;
  const resolve: HostResolver = async () => {
    const turn = turns[Math.min(asked, turns.length - 1)] ?? [];
    asked += 1;
    return turn.map((address) => ({ address, family: 4 as const }));
  };
  return { resolve, asked: () => asked };
}

describe('a name that changes its address', () => {
  let outside: ScriptedServer;
  let elsewhere: ScriptedServer;
  let inside: ScriptedServer;
  let client: SafeHttpClient | undefined;
  let url: string;

  beforeEach(async () => {
    const port = await startAll();
    // The system's own resolver leads this name inside: whoever resolves it once more gets there.
    url = `http://localhost:${port}/`;
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await Promise.all([outside, elsewhere, inside].map((server) => server.close()));
  });

  /** @returns the port that all of them have, each on its own address */
  async function startAll(): Promise<number> {
    const says = (word: string, host: string, port = 0): Promise<ScriptedServer> =>
      startServer((_request, response) => response.end(word), { host, port });
    for (;;) {
      outside = await says('outside', OUTSIDE);
      const { port } = outside;
      const others = [says('elsewhere', ELSEWHERE, port), says('inside', INSIDE, port)] as const;
      try {
        [elsewhere, inside] = await Promise.all(others);
        return port;
      } catch (error) {
        // Somebody else may have the port on one of these addresses.
        if (!isAddressInUse(error)) throw error;
        const started = await Promise.allSettled(others);
        await outside.close();
        for (const server of started) if (server.status === 'fulfilled') await server.value.close();
      }
    }
  }

  const send = async (resolve: HostResolver): Promise<string> => {
    client ??= new SafeHttpClient({ policy, resolve });
    const { body } = await client.request(url, { method: 'POST', body: '{}' });
    await new Promise((done) => setImmediate(done));
    return body.toString();
  };

  it('would lead inside if it was resolved again', async () => {
    expect(await (await fetch(url.replace('localhost', INSIDE))).text()).toBe('inside');
    expect(inside.connections).toHaveLength(1);
  });

  it('is reached at the address that was checked, and resolved once', async () => {
    const { resolve, asked } = flipping([OUTSIDE], [INSIDE]);
    expect(await send(resolve)).toBe('outside');
    expect(asked()).toBe(1);
    expect(outside.seen).toMatchObject([{ headers: { host: new URL(url).host } }]);
    expect(inside.connections).toEqual([]);
  });

  it('is refused once it leads inside, though a checked connection is still open', async () => {
    const { resolve } = flipping([OUTSIDE], [INSIDE]);
    expect(await send(resolve)).toBe('outside');
    expect(await caught(send(resolve))).toBeInstanceOf(ForbiddenTargetError);
    expect(outside.seen).toHaveLength(1);
    expect(inside.connections).toEqual([]);
  });

  it.each([[[OUTSIDE, INSIDE]], [[INSIDE, OUTSIDE]]])('is refused when any address is inside: %j', async (answer) => {
    const { resolve } = flipping(answer);
    expect(await caught(send(resolve))).toBeInstanceOf(ForbiddenTargetError);
    expect([...outside.connections, ...inside.connections]).toEqual([]);
  });

  it('is not served by a connection to where it led before', async () => {
    const { resolve } = flipping([OUTSIDE], [ELSEWHERE], [OUTSIDE]);
    expect([await send(resolve), await send(resolve), await send(resolve)]).toEqual([
      'outside',
      'elsewhere',
      'outside',
    ]);
    expect([outside.connections.length, elsewhere.connections.length]).toEqual([1, 1]);
  });

  it('is reached at another of its addresses when the first does not answer', async () => {
    await outside.close();
    const { resolve } = flipping([OUTSIDE, ELSEWHERE]);
    expect(await send(resolve)).toBe('elsewhere');
  });
});

function isAddressInUse(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EADDRINUSE';
}
