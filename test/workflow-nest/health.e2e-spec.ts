import 'reflect-metadata';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Query, type DynamicModule } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { WorkflowHealthIndicator, WorkflowModule } from 'nestjs-a2a/workflow';
import { bareCard } from '../support/bare-card.js';
import { CapturingLogger } from '../support/capturing-logger.js';
import { at, send } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { start, type RunningApp } from '../support/running-app.js';

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly engine: WorkflowHealthIndicator,
  ) {}

  @Get('weather')
  @HealthCheck()
  weather() {
    return this.health.check([() => this.engine.isHealthy('engine', { agents: ['weather'] })]);
  }

  @Get('all')
  @HealthCheck()
  all(@Query('ms') milliseconds: string) {
    return this.health.check([() => this.engine.isHealthy('engine', { timeoutMs: Number(milliseconds) })]);
  }
}

@Module({})
class AppModule {
  static with(agentCards: () => readonly AgentCard[]): DynamicModule {
    return {
      module: AppModule,
      imports: [
        TerminusModule.forRoot({ logger: false }),
        WorkflowModule.forRoot({ agentCards, agentCardsMaxAgeSeconds: 0 }),
      ],
      controllers: [HealthController],
    };
  }
}

describe('WorkflowHealthIndicator in terminus', () => {
  const logger = new CapturingLogger();
  const silent = createServer(() => undefined);
  let cards: () => readonly AgentCard[] = () => [];
  let agent: RunningApp;
  let app: RunningApp;
  beforeAll(async () => {
    agent = await start('express', probeModule());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const interfaceAt = (url: string) => [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    const known: readonly AgentCard[] = [
      bareCard({ name: 'weather', supportedInterfaces: interfaceAt(`${agent.url}/a2a/jsonrpc`) }),
      bareCard({ name: 'silent', supportedInterfaces: interfaceAt(`http://127.0.0.1:${port}`) }),
    ];
    cards = () => known;
    app = await start(
      'express',
      AppModule.with(() => cards()),
      { logger },
    );
  });
  afterAll(async () => {
    await app.close();
    await agent.close();
    silent.close();
  });

  it('fails with its agents, or without their cards, and says which', async () => {
    const known = cards;
    cards = () => {
      throw new Error('no registry');
    };
    const without = await send(app.url, { path: '/weather' });
    expect(at(without.body, 'error')).toEqual({ engine: { status: 'down', reason: 'Error', agents: {} } });
    cards = known;
    const up = await send(app.url, { path: '/weather' });
    expect([up.status, at(up.body, 'details')]).toEqual([
      200,
      { engine: { status: 'up', agents: { weather: { status: 'up' } } } },
    ]);
    let some = up;
    // The one that is there needs the time that this machine takes.
    for (let ms = 100; some === up || at(some.body, 'error.engine.agents.weather.status') === 'down'; ms *= 2) {
      some = await send(app.url, { path: `/all?ms=${ms}` });
    }
    expect([some.status, at(some.body, 'error')]).toEqual([
      503,
      {
        engine: {
          status: 'down',
          agents: { weather: { status: 'up' }, silent: { status: 'down', reason: 'TIMEOUT' } },
        },
      },
    ]);
    await agent.close();
    logger.lines.length = 0;
    for (let time = 0; time < 2; time += 1) {
      const down = await send(app.url, { path: '/weather' });
      expect(at(down.body, 'error')).toEqual({
        engine: { status: 'down', agents: { weather: { status: 'down', reason: 'CONNECT_FAILED' } } },
      });
    }
    expect(logger.lines.filter((line) => line.includes('“weather” is down'))).toHaveLength(1);
  });
});
