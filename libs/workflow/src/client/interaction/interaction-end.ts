import type { EmitEvent } from '../../control/event-callback.js';
import { causesOf, classNameOf } from '../../errors/causes.js';
import { CancellationException, TimeoutException, WorkflowError } from '../../errors/workflow.error.js';
import { LinkedAbort } from '../timing/linked-abort.js';
import type { A2ATransport } from '../transport/a2a-transport.js';
import { AgentCallError } from '../transport/call-failures.js';
import type { NegotiationLedger } from './negotiation-ledger.js';
import { OrphanWatch } from './orphan-watch.js';
import type { RemoteTask } from './remote-task.js';
import { attachSuppressed } from './suppressed.js';

const CANCEL_MS = 5_000;
const ORPHAN_MS = 30_000;
const HURRIED_ORPHAN_MS = 1_000;

/** What an interaction leaves behind, and who hears of it. */
export interface InteractionRest {
  readonly transport: A2ATransport;
  readonly agentName: string;
  readonly contextId: string;
  readonly remote: RemoteTask;
  readonly ledger: NegotiationLedger;
  readonly emit: EmitEvent;
  /** Told of clean-up that goes on after the call has failed. */
  readonly track: (cleanUp: Promise<void>) => void;
}

/**
 * How an interaction ends: from inside or outside, and with the agent's task cancelled when it is left before its end. It
 * is cancelled at most once, also when it becomes known only after the call has failed.
 */
export class InteractionEnd {
  private readonly stop: LinkedAbort;
  private readonly wire = new LinkedAbort();
  private orphan: OrphanWatch | undefined;
  private isHurried = false;
  private isCancelled = false;
  private awaitsAnswer = false;
  private readonly leave: () => void;

  constructor(
    private readonly rest: InteractionRest,
    outer?: AbortSignal,
  ) {
    this.stop = new LinkedAbort();
    const onAbort = (): void => this.abort(reasonOf(outer));
    outer?.addEventListener('abort', onAbort, { once: true });
    this.leave = () => outer?.removeEventListener('abort', onAbort);
    if (outer?.aborted === true) onAbort();
  }

  /** Aborted when nobody waits for the result any more. */
  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Aborted when nothing more is to be learned from a message that has left. */
  get wireSignal(): AbortSignal {
    return this.wire.signal;
  }

  abort(reason: unknown): void {
    this.stop.abort(reason);
  }

  hurry(): void {
    this.isHurried = true;
    this.orphan?.limit(HURRIED_ORPHAN_MS);
  }

  messageLeaves(): void {
    this.awaitsAnswer = true;
  }

  answerEnded(): void {
    this.awaitsAnswer = false;
    this.orphan?.end();
  }

  taskKnown(): void {
    this.orphan?.end();
  }

  succeeded(): void {
    this.finish(new CancellationException('The interaction is over'));
  }

  /** Cancels the agent's task, if it is known and not at its end. */
  async failed(error: unknown): Promise<void> {
    this.abort(error);
    const { agentName: agent, emit, ledger, remote, track } = this.rest;
    const { exchanges: exchange } = ledger;
    if (exchange > 0) emit('negotiation_failed', { agent, exchange, errorType: typeOf(error) });
    if (remote.id === undefined && this.awaitsAnswer) {
      track(this.cancelOrphan(error));
      return;
    }
    await this.cancelRemote(error);
    this.finish(error);
  }

  /** @param primary the error that made it necessary, if there is one */
  async cancelRemote(primary?: unknown): Promise<void> {
    const { transport, agentName, remote } = this.rest;
    const { id } = remote;
    if (id === undefined || remote.hasEnded || this.isCancelled) return;
    this.isCancelled = true;
    const limit = new LinkedAbort();
    const late = (): void => limit.abort(new TimeoutException(`No answer to a cancellation from ${agentName}`));
    const timer = setTimeout(late, CANCEL_MS).unref();
    try {
      await transport.cancelTask(agentName, id, { signal: limit.signal });
    } catch (error) {
      transport.config.log.warn(`A task of ${agentName} could not be cancelled: ${rootNameOf(error)}`);
      attachSuppressed(primary, error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async cancelOrphan(error: unknown): Promise<void> {
    this.orphan = new OrphanWatch(this.isHurried ? HURRIED_ORPHAN_MS : ORPHAN_MS);
    await this.orphan.over;
    this.orphan.end();
    await this.cancelRemote(error);
    this.finish(error);
  }

  private finish(reason: unknown): void {
    const { transport, agentName, contextId } = this.rest;
    this.leave();
    this.wire.abort(reason);
    transport.closeConversation(agentName, contextId);
  }
}

/** Whoever gives up may say why; else it is a cancellation. */
function reasonOf(outer: AbortSignal | undefined): WorkflowError {
  const reason: unknown = outer?.reason;
  return reason instanceof WorkflowError ? reason : new CancellationException('Task interaction cancelled');
}

/** Of a call that failed, what it failed with says more. */
function typeOf(error: unknown): string {
  return error instanceof AgentCallError ? rootNameOf(error) : classNameOf(error);
}

function rootNameOf(error: unknown): string {
  return classNameOf(causesOf(error).at(-1));
}
