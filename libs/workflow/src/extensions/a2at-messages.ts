import { isDeepStrictEqual } from 'node:util';
import type { Part } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import type { JsonObject } from '../model/business-values.js';
import { MessageContent } from '../model/message-content.js';
import type { ReceivedMessage } from '../model/received-message.js';
import { type NegotiationContext, readNegotiationContext } from './negotiation-context.js';

const CONTEXT_KEY = 'negotiationContext';

/**
 * Metadata as a generator of A2A-T content makes it.
 *
 * @publicApi
 */
export interface GeneratedMetadata {
  readonly extensionUri: string;
  /** Goes into the metadata under the URI. */
  readonly promptText: string;
  readonly templateUri: string;
  /** Of a negotiation. */
  readonly negotiationContext?: NegotiationContext;
}

/**
 * Between A2A-T content and messages. Nothing is generated here, and no meaning is judged.
 *
 * @publicApi
 */
export const A2atMessages = {
  /** Content with generated metadata; its extension is activated. */
  from(generated: GeneratedMetadata, parts: Iterable<Part>): MessageContent {
    const { extensionUri, promptText, templateUri, negotiationContext } = generated;
    const metadata = {
      [extensionUri]: promptText,
      templateUri,
      ...(negotiationContext !== undefined && { [CONTEXT_KEY]: negotiationContext }),
    };
    return new MessageContent(parts, metadata, [extensionUri]);
  },

  /**
   * The negotiation context of what an agent said: in its message, its task or its artifacts.
   *
   * @throws WorkflowArgumentError when there is none, or none that is valid, or several that differ
   */
  contextOf(received: ReceivedMessage): NegotiationContext {
    const found = metadataOf(received).flatMap((metadata) => {
      const value = metadata[CONTEXT_KEY];
      return value === undefined ? [] : [value];
    });
    const [first, ...others] = found;
    if (first === undefined) throw new WorkflowArgumentError('Missing negotiationContext');
    if (others.some((other) => !isDeepStrictEqual(other, first))) {
      throw new WorkflowArgumentError('Conflicting negotiation contexts in response');
    }
    return readNegotiationContext(first);
  },
};

/** Does something of it carry data of this extension? */
export function carries(received: ReceivedMessage, uri: string): boolean {
  return metadataOf(received).some((metadata) => Object.hasOwn(metadata, uri));
}

function metadataOf({ message, taskMetadata, artifacts }: ReceivedMessage): Readonly<JsonObject>[] {
  return [message?.metadata ?? {}, taskMetadata, ...artifacts.map(({ metadata = {} }) => metadata)];
}
