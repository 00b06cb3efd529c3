import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Module, type DynamicModule } from '@nestjs/common';
import { A2AModule, AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { A2AClient } from 'nestjs-a2a/client';
import { TaskState, type AgentCard } from 'nestjs-a2a/protocol';
import { controlPoint, WorkflowModule, WorkflowRunner } from 'nestjs-a2a/workflow';
import { ADAPTERS, start } from '../support/running-app.js';
import { asTold, SMALL } from './small-workflow.js';

class Endless extends AgentExecutor {
  override async execute({ signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.working('for ever');
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }
}

@Module({})
class AppModule {
  static with(...imports: DynamicModule[]): DynamicModule {
    return { module: AppModule, imports };
  }
}

const agentModule = () => A2AModule.forRoot({ agentCard: { name: 'X', description: 'd' }, executor: Endless });
const decisions = controlPoint({ onTask: asTold });

/** Runs the small workflow until the agent is at it. */
async function atWork(runner: WorkflowRunner) {
  const run = runner.run({ psop: SMALL, controlPoint: decisions });
  const working = new Promise<void>((resolve) => {
    run.events$.subscribe(({ type }) => type === 'agent_status_update' && resolve());
  });
  await working;
  return { run };
}

describe('the end of an app that runs workflows', () => {
  it.each(ADAPTERS)('cancels the tasks of agents elsewhere, on %s', async (adapter) => {
    const agent = await start(adapter, AppModule.with(agentModule()));
    const client = new A2AClient({ network: 'any' }, agent.url);
    const { card } = await client.agent();
    const app = await start(adapter, AppModule.with(WorkflowModule.forRoot({ agentCards: [card] })));
    const { run } = await atWork(app.app.get(WorkflowRunner));
    await app.close();
    await expect(run.result).rejects.toThrow('Workflow execution cancelled');
    const { tasks } = await client.listTasks();
    expect(tasks.map(({ status }) => status.state)).toEqual([TaskState.CANCELED]);
    await client.close();
    await agent.close();
  });

  it.each(ADAPTERS)('comes when the agent is in the same app, on %s', async (adapter) => {
    const cards: AgentCard[] = [];
    const app = await start(
      adapter,
      AppModule.with(agentModule(), WorkflowModule.forRoot({ agentCards: () => cards })),
    );
    const client = new A2AClient({ network: 'any' }, app.url);
    cards.push((await client.agent()).card);
    await client.close();
    const { run } = await atWork(app.app.get(WorkflowRunner));
    await app.close();
    await expect(run.result).rejects.toThrow('Workflow execution cancelled');
  });
});
