import { Logger } from '@nestjs/common';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { messageOf } from '../errors/causes.js';
import { redactDetail } from '../errors/redaction.js';
import { readRegistryCard } from '../registry/read-registry-card.js';
import type { RegistryClient } from '../registry/registry-client.js';
import { AgentCardSource } from './agent-card.source.js';

const MAX_LINES = 20;

/**
 * All agents of a registry center. A card that the engine cannot use is left out, and the log says why; so are several of
 * one name, since nobody can say which is meant.
 *
 * ```ts
 * providers: [{ provide: AgentCardSource, useFactory: () => new RegistryAgentCards(new RegistryClient(url)) }]
 * ```
 *
 * @publicApi
 */
export class RegistryAgentCards extends AgentCardSource {
  private readonly logger = new Logger(RegistryAgentCards.name);

  /** @param registry is left open */
  constructor(private readonly registry: Pick<RegistryClient, 'fetchAgentCards'>) {
    super();
  }

  async cards(): Promise<AgentCard[]> {
    const log = new FirstLines(this.logger);
    const known = new Map<string, AgentCard | undefined>();
    for (const raw of await this.registry.fetchAgentCards()) {
      const card = this.read(raw, log);
      if (card === undefined) continue;
      const { name } = card;
      if (known.has(name)) log.warn(`Left out: the registry has several agents called “${redactDetail(name)}”`);
      known.set(name, known.has(name) ? undefined : card);
    }
    log.end();
    return [...known.values()].filter((card) => card !== undefined);
  }

  private read(raw: object, log: FirstLines): AgentCard | undefined {
    try {
      const card = readRegistryCard(raw);
      if (card.supportedInterfaces.length > 0 && card.name.trim() !== '') return card;
      log.warn(`Left out: the card of “${redactDetail(card.name)}” has no name or no interfaces`);
    } catch (error) {
      log.warn(`Left out: ${redactDetail(messageOf(error))}`);
    }
    return undefined;
  }
}

/** Others fill a registry, and must not fill the log. */
class FirstLines {
  private count = 0;

  constructor(private readonly logger: Logger) {}

  warn(text: string): void {
    this.count += 1;
    if (this.count <= MAX_LINES) this.logger.warn(text);
  }

  end(): void {
    const more = this.count - MAX_LINES;
    if (more > 0) this.logger.warn(`Left out: ${more} more cards`);
  }
}
