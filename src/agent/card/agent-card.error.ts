/**
 * One thing that is wrong with an agent card.
 *
 * @publicApi
 */
export interface AgentCardFault {
  /** Where, e.g. `skills[1].id`; empty for the card as a whole. */
  readonly path: string;
  /** What is wrong, for people. */
  readonly description: string;
}

function line(fault: AgentCardFault): string {
  return `  - ${fault.path === '' ? '' : `${fault.path}: `}${fault.description}`;
}

/**
 * The agent card cannot be used; names every fault at once.
 *
 * @publicApi
 */
export class AgentCardError extends Error {
  /** Stable code, whatever the message says. */
  readonly code = 'A2A_AGENT_CARD';

  constructor(
    readonly faults: readonly AgentCardFault[],
    options?: ErrorOptions,
  ) {
    const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
    super([`The agent card has ${count}:`, ...faults.map(line)].join('\n'), options);
    this.name = 'AgentCardError';
  }
}
