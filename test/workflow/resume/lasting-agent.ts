import { A2AModule, type AgentEmitter, AgentExecutor, type RequestContext } from 'nestjs-a2a';
import { readAgentCard } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { type RunningApp, start } from '../../support/running-app.js';
import { AgentGateway, type GatewayCall, textOf } from '../scenarios/agent-gateway.js';
import { requestOf } from '../scenarios/agent-request.js';
import { relayStream } from '../scenarios/stream-relay.js';

/** Completes every task, some of them only when it is told to. */
class LastingExecutor extends AgentExecutor {
  /** Each task that was made, by the text of its message. */
  readonly made: string[] = [];
  readonly canceled: string[] = [];
  private release: () => void = () => undefined;
  private readonly released = new Promise<void>((resolve) => (this.release = resolve));

  override async execute({ text, signal }: RequestContext, emitter: AgentEmitter): Promise<void> {
    this.made.push(text);
    await emitter.working();
    const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    signal.addEventListener('abort', () => this.canceled.push(text));
    if (text === 'known a') await Promise.race([this.released, left]);
    if (text === 'won slow') await left;
    if (signal.aborted) return;
    await emitter.addArtifact(`did ${text}`);
    await emitter.complete();
  }

  releaseAll(): void {
    this.release();
  }
}

/** An agent that outlives its callers. */
export class LastingAgent {
  readonly executor = new LastingExecutor();
  /** Which requests came, other than messages. */
  readonly questions: string[] = [];
  private app: RunningApp | undefined;

  private constructor(
    private readonly gateway: AgentGateway,
    private readonly onUnanswered: () => void,
  ) {}

  /** @param onUnanswered told when a message has done its work and its answer is withheld */
  static async start(onUnanswered: () => void): Promise<{ agent: LastingAgent; card: AgentCard }> {
    const gateway = await AgentGateway.start();
    const agent = new LastingAgent(gateway, onUnanswered);
    const module = A2AModule.forRoot({
      agentCard: { name: 'X', description: 'Lasts' },
      executor: { useValue: agent.executor },
      publicUrl: gateway.url,
      anonymousList: 'all',
      shutdownTimeoutSeconds: 1,
    });
    agent.app = await start('express', module);
    gateway.open(agent.app.url, (call) => agent.take(call));
    const answer = await fetch(`${gateway.url}/.well-known/agent-card.json`);
    return { agent, card: readAgentCard(await answer.json()).card };
  }

  async stop(): Promise<void> {
    this.executor.releaseAll();
    await this.gateway.close();
    await this.app?.close();
  }

  private async take(call: GatewayCall): Promise<void> {
    const request = requestOf(call);
    if (request !== undefined && request.operation !== 'send') this.questions.push(request.operation);
    const answer = await call.forward();
    if (request?.operation === 'send' && call.body.includes('"sent a"')) {
      await textOf(answer);
      return this.onUnanswered();
    }
    await relayStream(answer, call.response, async () => 'on');
  }
}
