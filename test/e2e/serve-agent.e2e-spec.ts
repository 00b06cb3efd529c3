import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { A2AConfigurationError, AgentExecutor, serveAgent, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { CARD_PATH, message, rest, rpc } from '../support/a2a-calls.js';
import { caught } from '../support/caught.js';
import { EchoExecutor } from '../support/echo.executor.js';
import { at, send } from '../support/http-call.js';
import { ADAPTERS, adapterOf } from '../support/running-app.js';

class SmallAgent extends AgentExecutor {
  override async *execute(context: RequestContext): AsyncGenerator<string> {
    yield `small ${context.text}`;
  }
}

@Injectable()
class Kitchen {
  readonly dish = 'soup';
}

@Module({ providers: [Kitchen], exports: [Kitchen] })
class KitchenModule {}

@Injectable()
class Cook extends AgentExecutor {
  constructor(private readonly kitchen: Kitchen) {
    super();
  }

  override async execute(_context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.addArtifact(this.kitchen.dish);
    await emitter.complete();
  }
}

const quiet = { logger: false, host: '127.0.0.1' } as const;
const artifact = (body: unknown): unknown => at(body, 'result.task.artifacts.0.parts.0.text');

describe.each(ADAPTERS)('serveAgent on %s', (adapter) => {
  it.each([
    ['a class', SmallAgent, 'small hi'],
    ['an instance', new EchoExecutor('instance'), 'instance hi'],
    ['an object', { execute: (context: RequestContext) => `object ${context.text}` }, 'object hi'],
  ])('serves %s', async (_what, executor, text) => {
    const agent = await serveAgent(executor, { ...quiet, adapter: adapterOf(adapter) });
    try {
      expect(agent.url).toBe(`http://127.0.0.1:${agent.port}`);
      expect(agent.port).toBeGreaterThan(0);
      const answer = await send(agent.url, rpc('SendMessage', message('hi')));
      expect(at(answer.body, 'result.task.status.state')).toBe('TASK_STATE_COMPLETED');
      expect(artifact(answer.body)).toBe(text);
      const card = await send(agent.url, { path: CARD_PATH });
      expect(card.body).toMatchObject({
        name: 'agent',
        supportedInterfaces: [{ url: `${agent.url}/a2a/jsonrpc` }, { url: `${agent.url}/a2a/json` }],
      });
    } finally {
      await agent.close();
    }
    await expect(send(agent.url, { path: CARD_PATH })).rejects.toThrow(/ECONNREFUSED/);
  });

  it('takes the options of the module', async () => {
    const agent = await serveAgent(Cook, {
      ...quiet,
      adapter: adapterOf(adapter),
      name: 'Cook',
      description: 'Cooks',
      imports: [KitchenModule],
      jsonRpcPath: '/',
      pathPrefix: '/rest',
    });
    try {
      expect(artifact((await send(agent.url, rpc('SendMessage', message('hi'), {}, '/'))).body)).toBe('soup');
      expect((await send(agent.url, { path: '/rest/tasks' })).status).toBe(200);
      expect((await send(agent.url, { path: CARD_PATH })).body).toMatchObject({ name: 'Cook', description: 'Cooks' });
    } finally {
      await agent.close();
    }
  });

  it('says what is wrong', async () => {
    const first = await serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter) });
    try {
      const taken = serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter), port: first.port });
      expect((await caught(taken)).message).toContain('EADDRINUSE');
      const wrong = serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter), maxTasks: 0 });
      expect(await caught(wrong)).toBeInstanceOf(A2AConfigurationError);
    } finally {
      await first.close();
    }
  });

  it('listens where it is told', async () => {
    const again = async (left: number): Promise<void> => {
      const first = await serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter) });
      const { port } = first;
      await first.close();
      try {
        const second = await serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter), port });
        expect(second.port).toBe(port);
        await second.close();
      } catch (error) {
        // Another process may have taken the port meanwhile.
        if (left === 0 || !String(error).includes('EADDRINUSE')) throw error;
        await again(left - 1);
      }
    };
    await again(3);
  });

  it('listens on all interfaces by default, and names a host that can be reached', async () => {
    const agent = await serveAgent(SmallAgent, { logger: false, adapter: adapterOf(adapter) });
    try {
      expect(agent.url).toMatch(/^http:\/\/(localhost|127\.0\.0\.1):\d+$/);
      expect((await send(agent.url, rest('GET', '/tasks'))).status).toBe(200);
    } finally {
      await agent.close();
    }
  });

  it('closes twice', async () => {
    const agent = await serveAgent(SmallAgent, { ...quiet, adapter: adapterOf(adapter) });
    await Promise.all([agent.close(), agent.close()]);
    await agent.close();
  });
});

it('serveAgent takes Express when no adapter is given', async () => {
  const agent = await serveAgent(SmallAgent, quiet);
  try {
    expect((await send(agent.url, { path: CARD_PATH })).headers['x-powered-by']).toBe('Express');
  } finally {
    await agent.close();
  }
});
