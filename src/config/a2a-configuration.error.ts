/**
 * One setting that is wrong.
 *
 * @publicApi
 */
export interface ConfigurationFault {
  /** Name of the option. */
  readonly option: string;
  /** The environment variable it was read from; absent when it was given in code. */
  readonly variable?: string;
  /** What is wrong: what was given and what is right. Holds no secret. */
  readonly description: string;
}

function line(fault: ConfigurationFault): string {
  const origin = fault.variable === undefined ? '' : ` (environment variable ${fault.variable})`;
  return `  - ${fault.option}${origin}: ${fault.description}`;
}

/**
 * The module's settings are wrong; names every fault at once, so that one start is enough to see them all.
 *
 * @publicApi
 */
export class A2AConfigurationError extends Error {
  /** Stable code, whatever the message says. */
  readonly code = 'A2A_CONFIGURATION';

  constructor(readonly faults: readonly ConfigurationFault[]) {
    const count = faults.length === 1 ? 'one setting is' : `${faults.length} settings are`;
    super([`A2A cannot start, ${count} wrong:`, ...faults.map(line)].join('\n'));
    this.name = 'A2AConfigurationError';
  }
}
