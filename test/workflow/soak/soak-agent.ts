import type { INestApplication } from '@nestjs/common';
import { A2ADiagnostics, A2AModule, type AgentEmitter, AgentExecutor, type RequestContext } from 'nestjs-a2a';
import { readAgentCard } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { start } from '../../support/running-app.js';
import { AgentGateway, type GatewayCall, handOn } from '../scenarios/agent-gateway.js';
import { requestOf } from '../scenarios/agent-request.js';
import { pause } from '../scenarios/pause.js';
import { relayStream } from '../scenarios/stream-relay.js';
import type { TaskPlan } from './soak-plan.js';

/** What is known of a task of the agent. */
export interface TaskReport {
  readonly plan: TaskPlan;
  /** Its caller has seen its id. */
  isShown: boolean;
  cancels: number;
}

/** Does what the plan in its message says. */
class PlannedExecutor extends AgentExecutor {
  constructor(private readonly onTask: (taskId: string, plan: TaskPlan) => void) {
    super();
  }

  override async execute({ taskId, text, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    const plan: TaskPlan = JSON.parse(text);
    this.onTask(taskId, plan);
    await emitter.working();
    await pause(plan.delayMs, signal);
    if (plan.end === 'done') return emitter.complete(plan.name);
    if (plan.end === 'fail') return emitter.fail('as planned');
    if (plan.end === 'throw') throw new Error('as planned');
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', resolve);
    });
  }
}

/** An agent of our server behind a bad network. */
export class SoakAgent {
  /** Messages by the plan in them: each is to come once at most. */
  readonly sends = new Map<string, number>();

  private constructor(
    private readonly app: INestApplication,
    private readonly gateway: AgentGateway,
    readonly tasks: ReadonlyMap<string, TaskReport>,
    readonly card: AgentCard,
  ) {}

  static async start(name: string, adapter: 'express' | 'fastify'): Promise<SoakAgent> {
    const gateway = await AgentGateway.start();
    const tasks = new Map<string, TaskReport>();
    const executor = new PlannedExecutor((taskId, plan) => tasks.set(taskId, { plan, isShown: false, cancels: 0 }));
    const { app, url } = await start(
      adapter,
      A2AModule.forRoot({
        agentCard: { name, description: 'Does what it is told to' },
        executor: { useValue: executor },
        publicUrl: gateway.url,
        executorMaxSize: 5_000,
        replayGraceSeconds: 0,
        shutdownTimeoutSeconds: 1,
      }),
    );
    gateway.open(url);
    const answer = await fetch(`${gateway.url}/.well-known/agent-card.json`);
    const agent = new SoakAgent(app, gateway, tasks, readAgentCard(await answer.json()).card);
    gateway.open(url, (call) => agent.take(call));
    return agent;
  }

  /** Tasks that are at work now. */
  get running(): number {
    const { runsRunning, runsQueued } = this.app.get(A2ADiagnostics).gauges();
    return runsRunning + runsQueued;
  }

  async stop(): Promise<void> {
    await this.gateway.close();
    await this.app.close();
  }

  private async take(call: GatewayCall): Promise<void> {
    const request = requestOf(call);
    if (request?.operation === 'cancel') {
      const report = this.tasks.get(request.taskId ?? '');
      if (report !== undefined) report.cancels += 1;
    }
    if (request?.operation !== 'send') return handOn(call);
    const { name, fault } = planIn(call.body);
    this.sends.set(name, (this.sends.get(name) ?? 0) + 1);
    if (fault === 'cut') return void call.response.destroy();
    if (fault === 'refuse') {
      return void call.response.writeHead(503, { 'content-type': 'text/plain' }).end('busy');
    }
    await relayStream(await call.forward(), call.response, async ({ state, taskId }) => {
      const report = this.tasks.get(taskId ?? '');
      if (report !== undefined && !call.response.destroyed) report.isShown = true;
      return fault === 'drop' && state === 'TASK_STATE_WORKING' ? 'break' : 'on';
    });
  }
}

function planIn(body: string): TaskPlan {
  const { message }: { message: { parts: { text: string }[] } } = JSON.parse(body);
  return JSON.parse(message.parts[0]?.text ?? '');
}
