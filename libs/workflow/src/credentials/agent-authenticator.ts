import type { AgentCard } from 'nestjs-a2a/protocol';

/**
 * Where the headers come from that authenticate a call to an agent.
 *
 * @publicApi
 */
export abstract class AgentAuthenticator {
  /**
   * The headers of one call; asked anew for each.
   *
   * @throws SecurityException when the call must not be made
   */
  abstract headersFor(agentName: string, card: AgentCard, signal: AbortSignal): Promise<Record<string, string>>;

  /** Ends what is open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
