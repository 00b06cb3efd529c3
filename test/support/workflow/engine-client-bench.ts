import { expect } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import {
  A2ATExtension,
  A2atMessages,
  DefaultWorkflowEngineClient,
  type EventCallback,
  MessageContent,
  NegotiationReply,
  type NegotiationRequest,
  type Performative,
  type SendTaskOptions,
  type Wait,
  workflowEngineClientConfig,
  type WorkflowEngineClientOptions,
} from 'nestjs-a2a/workflow';
import { type RuntimeScript, ScriptedRuntime, scriptedCard } from './scripted-runtime.js';

export interface BenchOptions extends RuntimeScript {
  readonly config?: WorkflowEngineClientOptions;
  readonly card?: AgentCard;
  readonly wait?: Wait;
}

/** A client whose agent `X` answers by a script, and everything that was heard of it. */
export class EngineClientBench {
  readonly runtime: ScriptedRuntime;
  readonly client: DefaultWorkflowEngineClient;
  readonly events: { type: string; data: Record<string, unknown> }[] = [];
  readonly logs: string[] = [];
  readonly waits: number[] = [];

  constructor({ config, card, wait, ...script }: BenchOptions) {
    this.runtime = new ScriptedRuntime(script);
    const log = { warn: (text: string): void => void this.logs.push(text) };
    const waitAtOnce: Wait = async (milliseconds, signal) => {
      this.waits.push(milliseconds);
      signal.throwIfAborted();
    };
    this.client = new DefaultWorkflowEngineClient([card ?? scriptedCard('X')], {
      config: workflowEngineClientConfig({ log, ...config }),
      runtime: this.runtime,
      wait: wait ?? waitAtOnce,
    });
    this.client.setEventCallback(this.callback);
  }

  readonly callback: EventCallback = {
    onEvent: (type, data) => void this.events.push({ type, data: { ...data } }),
  };

  /** Each event in a word, with the number of its exchange. */
  get words(): string[] {
    return this.events.map(({ type, data }) => ('exchange' in data ? `${type}#${String(data['exchange'])}` : type));
  }

  send(options?: SendTaskOptions, content: MessageContent = negotiable()) {
    return this.client.sendTask('X', content, options);
  }

  /** Fails when something is still open. */
  expectIdle(): void {
    expect(this.client.gauges()).toEqual({ interactions: 0, cleanUps: 0, sends: 0, subscriptions: 0 });
    expect(this.runtime.open).toBe(0);
    expect(this.runtime.wire.filter((line) => line.startsWith('cancel')).length).toBeLessThanOrEqual(1);
  }
}

/** Content for which the agent may negotiate. */
export function negotiable(text = 'do it'): MessageContent {
  return MessageContent.text(text).withExtension(A2ATExtension.NEGOTIATION_T.uri);
}

/** A strategy that answers with these, one after the other, and keeps what it was asked. */
export function answering(...performatives: (Performative | NegotiationReply)[]) {
  const requests: NegotiationRequest[] = [];
  const left = [...performatives];
  return {
    requests,
    resolve(request: NegotiationRequest): NegotiationReply {
      requests.push(request);
      const next = left.shift();
      if (next === undefined) throw new Error('No reply is left');
      return typeof next === 'string' ? replyWith(request, next) : next;
    },
  };
}

/** A reply that fits to what was received, save for what is given. */
export function replyWith(request: NegotiationRequest, performative: Performative, shift = 0): NegotiationReply {
  const context = A2atMessages.contextOf(request.received);
  const generated = {
    extensionUri: A2ATExtension.NEGOTIATION_T.uri,
    promptText: 'prompt',
    templateUri: 'urn:template',
    negotiationContext: { ...context, round: context.round + shift, performative },
  };
  return NegotiationReply.send(A2atMessages.from(generated, [{ text: performative }]));
}
