import {
  A2ATExtension,
  A2atMessages,
  BusinessFailure,
  ControlPoint,
  MessageContent,
  NegotiationReply,
  type NegotiationRequest,
  RouteDecision,
  type RouteRequest,
  TaskResult,
  type TaskRequest,
  type WorkflowInput,
} from 'nestjs-a2a/workflow';
import type { HostScript, NegotiationScript, Refusal } from './host-script.js';

const NEGOTIATION_T = A2ATExtension.NEGOTIATION_T.uri;

/** Named as a host of the other edition would name it. */
class IllegalStateException extends Error {
  override readonly name = 'IllegalStateException';
}

/** Decides by a script, and keeps what it was asked. */
export class ScriptedHost extends ControlPoint {
  readonly routeCalls: string[] = [];
  readonly negotiationRounds: number[] = [];
  /** The names of the steps in the window of each step. */
  readonly windows = new Map<string, readonly string[]>();
  private negotiations = 0;

  constructor(
    private readonly script: HostScript,
    private readonly onFault: (text: string) => void,
  ) {
    super();
  }

  override onTask({ stepName, agentName, instruction, workflowInput }: TaskRequest): Promise<MessageContent> {
    this.look(stepName, workflowInput);
    const refusal = this.script.onTask.get(instruction);
    if (refusal !== undefined) return refuse(refusal);
    const content = MessageContent.text(instruction);
    return Promise.resolve(this.script.activate.has(agentName) ? content.withExtension(NEGOTIATION_T) : content);
  }

  override onSelfTask({ stepName, instruction, workflowInput }: TaskRequest): Promise<TaskResult> {
    this.look(stepName, workflowInput);
    const script = this.script.onSelfTask.get(instruction);
    if (script === undefined) return this.unscripted(`onSelfTask for ${instruction}`);
    if (script.kind === 'success') return Promise.resolve(TaskResult.success(script.outputs));
    if (script.kind === 'fail') return Promise.resolve(TaskResult.failure(script.code, script.message));
    return refuse(script);
  }

  override onRoute({ stepName, nextStep, workflowInput }: RouteRequest): Promise<RouteDecision> {
    this.look(stepName, workflowInput);
    const edge = `${stepName}->${nextStep}`;
    this.routeCalls.push(edge);
    const script = this.script.onRoute.get(edge);
    if (script === undefined) return this.unscripted(`onRoute for ${edge}`);
    if (script.kind !== 'decide') return refuse(script);
    return Promise.resolve(script.allowed ? RouteDecision.allow('as scripted') : RouteDecision.deny('as scripted'));
  }

  override onNegotiation(request: NegotiationRequest): Promise<NegotiationReply> {
    this.negotiationRounds.push(A2atMessages.contextOf(request.received).round);
    const script = this.script.onNegotiation[this.negotiations++];
    if (script === undefined) return this.unscripted('onNegotiation');
    return reply(script, request);
  }

  private look(step: string, { upstreamResults }: WorkflowInput): void {
    const window = upstreamResults.map(({ stepName }) => stepName);
    const before = this.windows.get(step);
    this.windows.set(step, window);
    if (before !== undefined && before.join() !== window.join()) {
      this.onFault(`The window of ${step} was ${before.join()} and became ${window.join()}`);
    }
  }

  private unscripted(what: string): Promise<never> {
    this.onFault(`The host was asked ${what}, for which there is nothing in the script`);
    return Promise.reject(new Error(`There is nothing in the script: ${what}`));
  }
}

function reply(script: NegotiationScript, request: NegotiationRequest): Promise<NegotiationReply> {
  if (script.kind === 'stop') return Promise.resolve(NegotiationReply.stop(script.code, script.reason));
  if (script.kind !== 'reply') return refuse(script);
  const { performative, shift } = script;
  const received = A2atMessages.contextOf(request.received);
  const generated = {
    extensionUri: NEGOTIATION_T,
    promptText: 'reply',
    templateUri: 'urn:scenario:reply',
    negotiationContext: { ...received, round: received.round + shift, performative },
  };
  return Promise.resolve(NegotiationReply.send(A2atMessages.from(generated, [{ text: performative }])));
}

/** What a host does that does not answer; nothing stands for any answer here. */
async function refuse<T>(refusal: Refusal): Promise<T> {
  switch (refusal.kind) {
    case 'null':
      // What a host that does not write TypeScript may hand over.
      return JSON.parse('null');
    case 'hang':
      return new Promise<T>(() => undefined);
    case 'throw':
      throw new IllegalStateException(refusal.message);
    case 'business':
      throw new BusinessFailure(refusal.code, refusal.message);
  }
}
