import 'reflect-metadata';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, type DynamicModule } from '@nestjs/common';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { A2AClientHealthIndicator, A2AClientModule } from 'nestjs-a2a/client/nest';
import { CapturingLogger } from '../support/capturing-logger.js';
import { at, send } from '../support/http-call.js';
import { probeModule } from '../support/probe-pair.js';
import { ADAPTERS, start, type RunningApp } from '../support/running-app.js';

@Controller()
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly agents: A2AClientHealthIndicator,
  ) {}

  @Get('health')
  @HealthCheck()
  check() {
    return this.health.check([() => this.agents.isHealthy('weather agent', 'weather')]);
  }

  @Get('silent')
  @HealthCheck()
  silent() {
    return this.health.check([() => this.agents.isHealthy('silent agent', 'silent', { timeoutMs: 20 })]);
  }

  @Get('unknown')
  @HealthCheck()
  unknown() {
    return this.health.check([() => this.agents.isHealthy('?', 'nobody')]);
  }
}

@Module({})
class AppModule {
  static with(weather: string, silent: string): DynamicModule {
    const agents = [
      { name: 'weather', url: weather },
      { name: 'silent', url: silent },
    ];
    return {
      module: AppModule,
      imports: [
        TerminusModule.forRoot({ logger: false }),
        A2AClientModule.forRoot({ network: 'any' }),
        A2AClientModule.forFeature(agents),
      ],
      controllers: [HealthController],
    };
  }
}

describe.each(ADAPTERS)('A2AClientHealthIndicator in terminus on %s', (adapter) => {
  const logger = new CapturingLogger();
  const silent = createServer(() => undefined);
  let agent: RunningApp;
  let app: RunningApp;
  beforeAll(async () => {
    agent = await start(adapter, probeModule());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    app = await start(adapter, AppModule.with(agent.url, `http://127.0.0.1:${port}`), { logger });
  });
  afterAll(async () => {
    await app.close();
    await agent.close();
    silent.close();
  });

  it('is up while the agent gives its card, and down at once when it does not', async () => {
    for (let time = 0; time < 2; time += 1) {
      const up = await send(app.url, { path: '/health' });
      expect([up.status, at(up.body, 'details')]).toEqual([200, { 'weather agent': { status: 'up' } }]);
    }
    await agent.close();
    for (let time = 0; time < 2; time += 1) {
      const down = await send(app.url, { path: '/health' });
      expect(down.status).toBe(503);
      expect(at(down.body, 'error')).toEqual({ 'weather agent': { status: 'down', reason: 'CONNECT_FAILED' } });
    }
    expect(logger.lines.filter((line) => line.includes('“weather” is down'))).toHaveLength(1);
  });

  it('is down when the agent says nothing in time', async () => {
    const down = await send(app.url, { path: '/silent' });
    expect(at(down.body, 'error')).toEqual({ 'silent agent': { status: 'down', reason: 'TIMEOUT' } });
  });

  it('says that there is no such client', async () => {
    expect((await send(app.url, { path: '/unknown' })).status).toBe(500);
    expect(logger.text).toContain('There is no A2A client “nobody”: name it in A2AClientModule.forFeature()');
  });
});
