import type { Role } from './enums.js';
import type { Struct } from './json.js';
import type { Part } from './part.js';

/**
 * One turn between a client and an agent.
 *
 * @see A2A 1.0, section 4.1.4
 */
export interface Message {
  /** Chosen by whoever wrote the message, usually a UUID. */
  messageId: string;
  /** The conversation; an agent's message always names it. */
  contextId?: string;
  /** The task this message belongs to. */
  taskId?: string;
  /** Who wrote it. */
  role: Role;
  /** The content, at least one part. */
  parts: Part[];
  /** Free data; data of extensions sits under the extension's URI. */
  metadata?: Struct;
  /** URIs of the extensions that contributed. */
  extensions?: string[];
  /** Other tasks the message speaks of. */
  referenceTaskIds?: string[];
}
