import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { A2AClientError } from 'nestjs-a2a/client';
import { abortable } from 'nestjs-a2a/net';
import { causesOf, classNameOf } from '../errors/causes.js';
import { redactDetail } from '../errors/redaction.js';
import { RemoteA2AError } from '../errors/remote-a2a.error.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { type ClientLease, EngineClients } from './engine-clients.js';

/**
 * How an agent is.
 *
 * @publicApi
 */
export interface WorkflowAgentHealth {
  readonly status: 'up' | 'down';
  /** `TIMEOUT`, the code of the agent's error, or the name of the error's class. More is in the log. */
  readonly reason?: string;
}

/**
 * How the agents of the engine are.
 *
 * @publicApi
 */
export interface WorkflowHealth extends WorkflowAgentHealth {
  /** By their names. Empty when their cards cannot be had. */
  readonly agents: Readonly<Record<string, WorkflowAgentHealth>>;
}

/**
 * What is looked at.
 *
 * @publicApi
 */
export interface WorkflowHealthOptions {
  /** Milliseconds, for all of it. Default: 5,000. */
  readonly timeoutMs?: number;
  /** Names of agents. Default: all that the engine knows. */
  readonly agents?: readonly string[];
}

const DEFAULT_TIMEOUT_MS = 5_000;
const CARDS = 'agent cards';
const UP: WorkflowAgentHealth = { status: 'up' };

/**
 * Tells `@nestjs/terminus` (11, 12) whether the agents of the engine are there: whether their cards can be had, and each
 * answers a question for a task that it cannot know, with the credentials of the engine.
 *
 * @publicApi
 */
@Injectable()
export class WorkflowHealthIndicator {
  private readonly logger = new Logger(WorkflowHealthIndicator.name);
  /** One at a time: an agent that does not answer is not asked again and again. */
  private readonly asking = new Map<string, Promise<WorkflowAgentHealth>>();
  private readonly down = new Set<string>();

  constructor(private readonly clients: EngineClients) {}

  /**
   * @param key in the result
   * @throws WorkflowArgumentError when the engine has a client of the host, and no agents are named
   */
  async isHealthy(
    key: string,
    { timeoutMs = DEFAULT_TIMEOUT_MS, agents }: WorkflowHealthOptions = {},
  ): Promise<Record<string, WorkflowHealth>> {
    const signal = AbortSignal.timeout(timeoutMs);
    let lease: ClientLease;
    try {
      lease = await this.clients.acquire(signal);
    } catch (error) {
      const reason = signal.aborted ? 'TIMEOUT' : reasonOf(error);
      return { [key]: { ...this.downOf(CARDS, reason, error), agents: {} } };
    }
    try {
      this.upOf(CARDS);
      const names = agents ?? lease.agents;
      if (names === undefined)
        throw new WorkflowArgumentError('Name the agents of your WorkflowEngineClient: { agents }');
      const found = await Promise.all(
        names.map(async (name) => [name, await this.within(name, lease, signal)] as const),
      );
      const status = found.every(([, { status: each }]) => each === 'up') ? 'up' : 'down';
      return { [key]: { status, agents: Object.fromEntries(found) } };
    } finally {
      lease.release();
    }
  }

  private async within(name: string, lease: ClientLease, signal: AbortSignal): Promise<WorkflowAgentHealth> {
    try {
      return await abortable(this.asking.get(name) ?? this.ask(name, lease), signal);
    } catch {
      return this.downOf(name, 'TIMEOUT');
    }
  }

  private ask(name: string, { client }: ClientLease): Promise<WorkflowAgentHealth> {
    const asking = client
      .getTask(name, randomUUID())
      .then(
        () => this.upOf(name),
        (error: unknown) => (isAnswer(error) ? this.upOf(name) : this.downOf(name, reasonOf(error), error)),
      )
      .finally(() => this.asking.delete(name));
    this.asking.set(name, asking);
    return asking;
  }

  private upOf(what: string): WorkflowAgentHealth {
    this.down.delete(what);
    return UP;
  }

  /** In the log once until it is up again: probes come every few seconds, and who asks may be anybody. */
  private downOf(what: string, reason: string, error?: unknown): WorkflowAgentHealth {
    const text = error instanceof Error ? redactDetail(error.message) : reason;
    if (!this.down.has(what)) this.logger.warn(`Workflow engine: “${what}” is down: ${text}`);
    this.down.add(what);
    return { status: 'down', reason };
  }
}

/** That it does not know the task is what a healthy agent says; or that it does not let us in, or is out of order. */
function isAnswer(error: unknown): boolean {
  const remote = RemoteA2AError.findIn(error);
  return remote !== undefined && remote.httpStatus < 500 && remote.httpStatus !== 401 && remote.httpStatus !== 403;
}

function reasonOf(error: unknown): string {
  const chain = causesOf(error);
  const called = chain.find((entry) => entry instanceof A2AClientError);
  return RemoteA2AError.findIn(error)?.code ?? called?.code ?? classNameOf(chain.at(-1));
}
