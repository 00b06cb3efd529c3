import { createHash } from 'node:crypto';
import type { AgentCard } from 'nestjs-a2a/protocol';
import type { AgentCardTemplate } from './agent-card-template.js';
import { assembleAgentCard, type MountedInterface } from './agent-card.assembler.js';

/**
 * A card as it goes over the wire: serialised once, with what caches need to know of it.
 *
 * @publicApi
 */
export class AgentCardDocument {
  /** The card as JSON. */
  readonly json: string;
  /** The same as UTF-8. */
  readonly bytes: Buffer;
  /** Strong entity tag, quotes included; it changes with every byte. */
  readonly etag: string;
  /** HTTP date. */
  readonly lastModified: string;
  readonly cacheControl: string;

  /**
   * @param card the finished card, signed or not
   * @param since when the card became what it is: the start of the module, or a change of its skills
   * @param maxAgeSeconds how long caches may keep it. Default 3600
   */
  constructor(
    readonly card: AgentCard,
    since: Date,
    maxAgeSeconds = 3600,
  ) {
    this.cacheControl = `public, max-age=${maxAgeSeconds}`;
    this.json = JSON.stringify(card);
    this.bytes = Buffer.from(this.json);
    this.etag = `"${createHash('sha256').update(this.bytes).digest('hex')}"`;
    this.lastModified = since.toUTCString();
  }

  /** The document of a card that is not signed. */
  static of(template: AgentCardTemplate, mounted: readonly MountedInterface[], since: Date): AgentCardDocument {
    return new AgentCardDocument(assembleAgentCard(template, mounted), since);
  }
}
