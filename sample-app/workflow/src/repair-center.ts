import type { INestApplication, INestApplicationContext, LogLevel } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Workflow, type WorkflowRun, WorkflowRunner } from 'nestjs-a2a/workflow';
import { AgentModule } from './agents/agent.module.js';
import { CenterModule } from './center/center.module.js';
import { RepairDecisions } from './center/repair-decisions.js';
import { Network } from './network/network.js';

/** Three agents, each an app on a port of its own, and the center that has them work together. */
export class RepairCenter {
  private constructor(
    private readonly agents: readonly INestApplication[],
    private readonly center: INestApplicationContext,
  ) {}

  /** @param network what the agents look at and repair */
  static async start(network: Network): Promise<RepairCenter> {
    const agents: INestApplication[] = [];
    try {
      for (const module of AgentModule.all(network)) agents.push(await listening(module));
      const urls = await Promise.all(agents.map((agent) => agent.getUrl()));
      const center = await NestFactory.createApplicationContext(CenterModule.with(urls), QUIET);
      return new RepairCenter(agents, center);
    } catch (error) {
      await Promise.all(agents.map((agent) => agent.close()));
      throw error;
    }
  }

  run(psop: Workflow, runtimeIntent: string): WorkflowRun {
    return this.center.get(WorkflowRunner).run({ psop, runtimeIntent, controlPoint: RepairDecisions });
  }

  async close(): Promise<void> {
    // While the agents are there, so that they can be told to stop.
    await this.center.close();
    await Promise.all(this.agents.map((agent) => agent.close()));
  }
}

const QUIET = { abortOnError: false, logger: ['error', 'fatal'] satisfies LogLevel[] };

async function listening(module: Parameters<typeof NestFactory.create>[0]): Promise<INestApplication> {
  const app = await NestFactory.create(module, QUIET);
  await app.listen(0, '127.0.0.1');
  return app;
}
