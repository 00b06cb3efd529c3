import type { ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serveAgent, type ServedAgent } from 'nestjs-a2a';
import { readAgentCard } from 'nestjs-a2a/client';
import { type AgentCard, type Message, Role, type SendMessageResponse } from 'nestjs-a2a/protocol';
import { A2ATExtension } from 'nestjs-a2a/workflow';
import { AgentGateway, type GatewayCall, handOn, textOf } from './agent-gateway.js';
import type { AgentScript, ScriptedAnswer } from './agent-script.js';
import { type AgentRequest, requestOf } from './agent-request.js';
import { ANSWER_HEADER, AnswerExecutor, partOf, proposalMetadata } from './answer-executor.js';
import { relayAnswer } from './answer-stream.js';
import { deferred } from './deferred.js';
import { errorBody } from './error-body.js';
import { pause } from './pause.js';
import { type CallAgent, TaskQuestions } from './task-questions.js';

/** What an agent tells of itself. */
export interface AgentReports {
  /** A line of the wire log. */
  wire(line: string): void;
  /** The scenario cannot be played like this. */
  fault(text: string): void;
}

export interface ScriptedAgentOptions {
  readonly name: string;
  readonly script: AgentScript;
  readonly reports: AgentReports;
  readonly adapter: 'express' | 'fastify';
  /** The times of the script are so many times longer. */
  readonly slowness: number;
}

/**
 * An agent made with our server, which answers by a script. What our server cannot be made to do is done by the gateway
 * in front of it: `hang`, `err` and `drop`, a stream that ends before its task, a message as the answer of a task, and
 * the state UNSPECIFIED.
 */
export class ScriptedAgent {
  private readonly executor = new AnswerExecutor();
  private readonly callAgent: CallAgent = async (...call) => {
    if (this.gateway === undefined) throw new Error('The agent has not been started');
    return this.gateway.send(...call);
  };
  private readonly questions = new TaskQuestions(this.executor, this.callAgent);
  private readonly hung = new Set<ServerResponse>();
  private readonly taskIds = new Set<string>();
  private readonly stopped = new AbortController();
  private busy = 0;
  private sends = 0;
  private gets = 0;
  private gateway: AgentGateway | undefined;
  private server: ServedAgent | undefined;
  private ownCard: AgentCard | undefined;

  constructor(private readonly options: ScriptedAgentOptions) {}

  get card(): AgentCard {
    if (this.ownCard === undefined) throw new Error('The agent has not been started');
    return this.ownCard;
  }

  /** Is an answer on its way that will come? Those that never come do not count. */
  get isBusy(): boolean {
    return this.busy > 0;
  }

  async start(): Promise<void> {
    const { name, adapter } = this.options;
    const gateway = await AgentGateway.start();
    this.gateway = gateway;
    this.server = await serveAgent(this.executor, {
      agentCard: {
        name,
        description: 'Answers by a script',
        capabilities: { extensions: [{ uri: A2ATExtension.NEGOTIATION_T.uri }] },
      },
      host: '127.0.0.1',
      adapter: adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
      logger: false,
      publicUrl: gateway.url,
      shutdownTimeoutSeconds: 1,
    });
    gateway.open(this.server.url, (call) => this.take(call));
    const answer = await fetch(`${gateway.url}/.well-known/agent-card.json`);
    this.ownCard = readAgentCard(await answer.json()).card;
  }

  /** Lets go of whoever still waits for an answer that never comes. */
  releaseHung(): void {
    for (const response of this.hung) response.destroy();
    this.hung.clear();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    this.releaseHung();
    this.executor.endAll();
    await this.gateway?.close();
    await this.server?.close();
  }

  private async take(call: GatewayCall): Promise<void> {
    const request = requestOf(call);
    if (request === undefined) return handOn(call);
    this.busy += 1;
    try {
      const { name, reports } = this.options;
      reports.wire(this.lineOf(request));
      if (request.operation === 'send') await this.answer(call, request);
      else if (request.operation === 'get') await this.inform(call, request);
      else await handOn(call);
      if (request.operation === 'subscribe')
        reports.fault(`${name} was asked for a stream, for which there is no script`);
    } finally {
      this.busy -= 1;
    }
  }

  private lineOf({ operation, taskId, performative }: AgentRequest): string {
    const id = taskId !== undefined && this.taskIds.has(taskId) ? `t-${this.options.name}` : taskId;
    const task = operation === 'send' && id !== undefined ? `task=${id}` : '';
    return [operation, this.options.name, task, performative ?? ''].filter((word) => word !== '').join(' ');
  }

  private async answer(call: GatewayCall, { taskId }: AgentRequest): Promise<void> {
    const answer = this.next(this.options.script.send, this.sends++, 'message', call.response);
    if (answer === undefined) return;
    const { saying, reveal, neg } = answer;
    const waitMs = answer.waitMs * this.options.slowness;
    if (!reveal) await pause(waitMs, this.stopped.signal);
    if (!reveal && saying.kind === 'hang') return this.hang(call.response);
    if (!reveal && saying.kind === 'err') return refuse(call.response, errorBody(saying.failure));
    if (saying.kind === 'msg' && taskId !== undefined) {
      return this.say(call.response, {
        parts: saying.values.map(partOf),
        ...(neg && { metadata: proposalMetadata(neg) }),
      });
    }
    const { promise: played, resolve } = deferred<string>();
    const cue = { answer, reveal: reveal || saying.kind === 'drop', waitMs: reveal ? waitMs : 0, played: resolve };
    const source = await call.forward({ [ANSWER_HEADER]: this.executor.cue(cue) });
    const relayed = relayAnswer(source, call.response, {
      answer,
      played,
      ask: async (id) => textOf(await this.callAgent('GET', `/a2a/json/tasks/${id}`, '', {})),
      wait: () => pause(waitMs, this.stopped.signal),
      onTask: (id) => this.taskIds.add(id),
    });
    if (saying.kind !== 'hang') return relayed;
    // It goes on for ever, which is nothing to wait for.
    this.hang(call.response);
    void relayed;
  }

  private async inform(call: GatewayCall, { taskId = '' }: AgentRequest): Promise<void> {
    const answer = this.next(this.options.script.get, this.gets++, 'question about its task', call.response);
    if (answer === undefined) return;
    const { saying } = answer;
    await pause(answer.waitMs * this.options.slowness, this.stopped.signal);
    if (saying.kind === 'hang') return this.hang(call.response);
    if (saying.kind === 'err') return refuse(call.response, errorBody(saying.failure));
    if (saying.kind === 'drop') return void call.response.destroy();
    try {
      await this.questions.answer(call, taskId, answer);
    } catch (error) {
      this.options.reports.fault(`${this.options.name}: ${error instanceof Error ? error.message : String(error)}`);
      call.response.destroy();
    }
  }

  private next(
    script: readonly ScriptedAnswer[],
    at: number,
    what: string,
    response: ServerResponse,
  ): ScriptedAnswer | undefined {
    const answer = script[at];
    if (answer !== undefined) return answer;
    this.options.reports.fault(`${this.options.name} got a ${what} for which there is no answer left in the script`);
    refuse(response, errorBody({ code: 501, message: 'No answer is left in the script' }));
    return undefined;
  }

  private hang(response: ServerResponse): void {
    this.hung.add(response);
  }

  private say(response: ServerResponse, message: Pick<Message, 'metadata' | 'parts'>): void {
    const answer: SendMessageResponse = { message: { messageId: crypto.randomUUID(), role: Role.AGENT, ...message } };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(answer)}\n\n`);
  }
}

function refuse(response: ServerResponse, body: { readonly error: { readonly code: number } }): void {
  response.writeHead(body.error.code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
