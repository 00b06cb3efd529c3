import type { AgentCard } from 'nestjs-a2a/protocol';
import type { Awaitable } from '../awaitable.js';
import type { WorkflowModuleOptions } from './workflow-module.options.js';

/**
 * Where the engine of a `WorkflowModule` finds its agents. Provide it for a source that injects something; a list or a
 * function can be given in the option `agentCards`.
 *
 * @publicApi
 */
export abstract class AgentCardSource {
  /** All agents, as they are now. Asked at the first run, and when `agentCardsMaxAgeSeconds` are over. */
  abstract cards(): Awaitable<Iterable<AgentCard>>;
}

/** The one of the option. */
export class OptionAgentCards extends AgentCardSource {
  /** A list stays what it is, and need not be asked for again. */
  readonly isFixed: boolean;

  private readonly given: NonNullable<WorkflowModuleOptions['agentCards']>;

  constructor(given: WorkflowModuleOptions['agentCards'] = []) {
    super();
    this.given = given;
    this.isFixed = typeof given !== 'function';
  }

  cards(): Awaitable<Iterable<AgentCard>> {
    return typeof this.given === 'function' ? this.given() : this.given;
  }
}
