import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pinnedConnector } from '../../libs/net/src/pinned-connector.js';
import { PinnedPools } from '../../libs/net/src/pinned-pools.js';
import { portOf } from './canary.js';

describe('pinnedConnector', () => {
  let server: Server;
  let heard = 0;
  beforeEach(async () => {
    heard = 0;
    server = createServer((socket) =>
      socket.on('error', () => undefined).on('data', ({ length }) => (heard += length)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  const connect = (protocol: string, hostname: string, pinned: string): Promise<Error | Socket> => {
    const connecting = new Set<Socket>();
    const addresses = [{ address: pinned, family: 4 }] as const;
    const connector = pinnedConnector({ addresses, timeoutMs: 5000, connecting });
    return new Promise((resolve) => {
      connector({ protocol, hostname, port: String(portOf(server)) }, (error, socket) => {
        expect(connecting.size).toBe(0);
        resolve(error ?? socket);
      });
    });
  };

  it.each(['http:', 'https:'])(
    'leaves an address that is not the checked one before a byte is sent: %s',
    async (scheme) => {
      // An address in the URL passes by every look-up: only the connection itself tells where it leads.
      const arrived = once(server, 'connection');
      const outcome = await connect(scheme, '127.0.0.1', '127.0.0.2');
      expect(outcome).toMatchObject({ code: 'FORBIDDEN_TARGET' });
      const [socket] = await arrived;
      if (!socket.destroyed) await once(socket.resume(), 'close');
      expect(heard).toBe(0);
    },
  );

  it.each(['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1'])('knows the checked address as %s', async (pinned) => {
    const outcome = await connect('http:', '127.0.0.1', pinned);
    expect(outcome).toMatchObject({ remoteAddress: '127.0.0.1' });
    if (!(outcome instanceof Error)) outcome.destroy();
  });

  it('asks nobody for the address of a name', async () => {
    const outcome = await connect('http:', 'no-such-name.invalid', '127.0.0.1');
    expect(outcome).toMatchObject({ remoteAddress: '127.0.0.1' });
    if (!(outcome instanceof Error)) outcome.destroy();
  });
});

describe('PinnedPools', () => {
  const settings = { connectTimeoutMs: 1000, headersTimeoutMs: 1000, maxConnections: 1 };
  const addresses = [{ address: '127.0.0.1', family: 4 }] as const;

  it('keeps no more than 256 pools, the last used ones, and all that are in use', async () => {
    const pools = new PinnedPools(settings);
    const url = (index: number): URL => new URL(`http://a${index}.example/`);
    let release = (): void => undefined;
    const held = pools.use(url(0), addresses, async (pool) => {
      await new Promise<void>((resolve) => (release = resolve));
      return pool;
    });
    const used = [];
    for (let index = 1; index <= 300; index += 1)
      used.push(await pools.use(url(index), addresses, async (pool) => pool));
    release();
    const kept = [await held, ...used].filter((pool) => !pool.destroyed);
    expect(kept).toHaveLength(256);
    expect(kept[0]).toBe(await held);
    expect(kept.at(-1)).toBe(used.at(-1));
    await pools.destroy();
    expect(kept.filter((pool) => !pool.destroyed)).toEqual([]);
  });

  it('takes nothing after its end', async () => {
    const pools = new PinnedPools(settings);
    await pools.destroy();
    await expect(pools.use(new URL('http://a.example/'), addresses, async () => 1)).rejects.toMatchObject({
      code: 'CLOSED',
    });
  });
});
