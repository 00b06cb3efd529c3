import { isDeepStrictEqual } from 'node:util';
import { abortable } from 'nestjs-a2a/net';
import type { AgentCard } from 'nestjs-a2a/protocol';
import type { A2ARuntime } from '../client/a2a-runtime.js';
import { createTransportParts } from '../client/create-a2a-transport.js';
import { DefaultWorkflowEngineClient } from '../client/default-workflow-engine-client.js';
import type { A2ATransportParts } from '../client/transport/transport-options.js';
import type { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { AgentAuthenticator } from '../credentials/agent-authenticator.js';
import { messageOf } from '../errors/causes.js';
import { redactDetail } from '../errors/redaction.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import { type AgentCardSource, OptionAgentCards } from './agent-card.source.js';
import { SharedAuthenticator, SharedRuntime } from './shared-parts.js';
import type { WorkflowSettings } from './workflow-settings.js';

/** A source that fails is asked again after this time, as long as there are cards of before. */
const RETRY_MS = 10_000;

/** What the clients are made of. */
export interface EngineClientsParts {
  readonly settings: WorkflowSettings;
  readonly source: AgentCardSource;
  /** The host's own client, in place of all others. It is not closed. */
  readonly client?: WorkflowEngineClient;
  readonly runtime?: A2ARuntime;
  readonly authenticator?: AgentAuthenticator;
}

/** The use of a client, until it is given back. */
export interface ClientLease {
  readonly client: WorkflowEngineClient;
  /** Names of the agents it can call; unknown for a client of the host. */
  readonly agents: readonly string[] | undefined;
  release(): void;
}

interface KnownAgents {
  readonly cards: readonly AgentCard[];
  readonly client: WorkflowEngineClient;
  users: number;
  isReplaced: boolean;
}

/** The client that the runs of an app share. When the agents change, new runs get a new one, and the others keep theirs. */
export class EngineClients {
  private known: KnownAgents | undefined;
  private readAgainAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<KnownAgents> | undefined;
  private readonly open = new Set<KnownAgents>();
  private readonly shared: A2ATransportParts | undefined;
  private closed: Promise<void> | undefined;

  /**
   * Files are read now: what is wrong with certificates or credentials keeps the app from starting.
   *
   * @throws WorkflowArgumentError, SecurityException, WorkflowError as the settings of the client do
   */
  constructor(private readonly parts: EngineClientsParts) {
    const { client, settings } = parts;
    // Clients come and go with the cards of the agents; tokens and connections stay.
    if (client === undefined) this.shared = createTransportParts(settings.client, parts);
  }

  /**
   * @param signal ends the waiting for the cards of the agents
   * @throws whatever the source of the cards throws; WorkflowArgumentError when a card cannot be used
   */
  async acquire(signal: AbortSignal): Promise<ClientLease> {
    if (this.parts.client !== undefined)
      return { client: this.parts.client, agents: undefined, release: () => undefined };
    const known = await abortable(this.current(), signal);
    signal.throwIfAborted();
    return this.leaseOf(known);
  }

  close(): Promise<void> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<void> {
    await Promise.allSettled([...this.open].map(({ client }) => client.close()));
    const { runtime, authenticator } = this.parts;
    // What the host has provided is the host's to close.
    const own = [
      runtime === undefined && this.shared?.runtime,
      authenticator === undefined && this.shared?.authenticator,
    ];
    await Promise.allSettled(own.map((part) => part && part.close()));
  }

  private leaseOf(known: KnownAgents): ClientLease {
    let isReleased = false;
    known.users += 1;
    return {
      client: known.client,
      agents: known.cards.map(({ name }) => name),
      release: () => {
        if (isReleased) return;
        isReleased = true;
        known.users -= 1;
        this.closeUnused(known);
      },
    };
  }

  private current(): Promise<KnownAgents> {
    const { known } = this;
    if (known !== undefined && performance.now() < this.readAgainAt) return Promise.resolve(known);
    // Whoever waits may leave; the answer is for all of them.
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async read(): Promise<KnownAgents> {
    const before = this.known;
    let cards: readonly AgentCard[];
    try {
      cards = [...(await this.parts.source.cards())];
    } catch (error) {
      if (before === undefined) throw error;
      this.warnOf(error);
      this.readAgainAt = performance.now() + Math.min(RETRY_MS, this.maxAgeMs());
      return before;
    }
    this.readAgainAt = performance.now() + this.maxAgeMs();
    if (before !== undefined && isDeepStrictEqual(before.cards, cards)) return before;
    const known = this.madeOf(cards);
    this.known = known;
    if (before !== undefined) {
      before.isReplaced = true;
      this.closeUnused(before);
    }
    return known;
  }

  private madeOf(cards: readonly AgentCard[]): KnownAgents {
    const { shared } = this;
    if (this.closed !== undefined || shared === undefined) throw new WorkflowStateError('The app is shutting down');
    const client = new DefaultWorkflowEngineClient(cards, {
      config: this.parts.settings.client,
      runtime: new SharedRuntime(shared.runtime),
      authenticator: new SharedAuthenticator(shared.authenticator),
    });
    const known = { cards, client, users: 0, isReplaced: false };
    this.open.add(known);
    return known;
  }

  private closeUnused(known: KnownAgents): void {
    if (!known.isReplaced || known.users > 0) return;
    // Until then the end of the app waits for it as well.
    const done = (): void => void this.open.delete(known);
    known.client
      .close()
      .catch((error: unknown) => this.warnOf(error))
      .then(done, done);
  }

  private maxAgeMs(): number {
    const { source, settings } = this.parts;
    const isFixed = source instanceof OptionAgentCards && source.isFixed;
    return isFixed ? Infinity : settings.agentCardsMaxAgeSeconds * 1000;
  }

  private warnOf(error: unknown): void {
    const { log } = this.parts.settings.client;
    log.warn(`The agents of the workflow engine cannot be read anew: ${redactDetail(messageOf(error))}`);
  }
}
