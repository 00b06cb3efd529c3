import { decodePart, type Part } from 'nestjs-a2a/protocol';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from './blank.js';
import { BusinessValues, type JsonObject, listOf } from './business-values.js';

/**
 * The content of a message as the host made it: final, sent unchanged. It has no role, ids, target or credentials; those
 * are the engine's. A member of the metadata called `contextId` is the host's own business.
 *
 * An instance is a frozen copy: later changes of what it was made of have no effect.
 *
 * @publicApi
 */
export class MessageContent {
  readonly parts: readonly Part[];
  readonly metadata: JsonObject;
  /** URIs of the extensions that the message uses: each once, in order. */
  readonly extensions: readonly string[];

  /**
   * @param parts may be empty
   * @param metadata default: empty
   * @param extensions default: none
   * @throws WorkflowArgumentError when a part is of no known kind, a URI is blank, or something is no list or no JSON
   */
  constructor(parts: Iterable<Part>, metadata?: object | null, extensions?: Iterable<string> | null) {
    this.parts = Object.freeze(listOf(parts, 'Parts must be a list').map(partOf));
    this.metadata = BusinessValues.map(metadata);
    this.extensions = Object.freeze([...new Set(listOf(extensions ?? [], 'Extensions must be a list of URIs'))]);
    if (this.extensions.some(isBlank)) throw new WorkflowArgumentError('Extension URI must not be blank');
    Object.freeze(this);
  }

  /** One text part. The text may be empty. */
  static text(text: string): MessageContent {
    return new MessageContent([{ text }]);
  }

  static parts(parts: Iterable<Part>): MessageContent {
    return new MessageContent(parts);
  }

  /**
   * Any content: what has the members of one is copied, so that the host cannot change it any more.
   *
   * @throws WorkflowArgumentError when it is none, or as the constructor
   */
  static of(content: Pick<MessageContent, 'parts'> & Partial<MessageContent>): MessageContent {
    if (content instanceof MessageContent) return content;
    const given: unknown = content;
    if (typeof given !== 'object' || given === null || !('parts' in given)) {
      throw new WorkflowArgumentError('Content must be a MessageContent, for example MessageContent.text(…)');
    }
    return new MessageContent(content.parts, content.metadata, content.extensions);
  }

  /** The same content with one more extension. Its metadata, where the extension needs some, is the host's. */
  withExtension(uri: string): MessageContent {
    return new MessageContent(this.parts, this.metadata, [...this.extensions, uri]);
  }
}

function partOf(part: Part): Part {
  const decoded = decodePart(BusinessValues.snapshot(part));
  if (!decoded.ok) {
    const [fault] = decoded.violations;
    throw new WorkflowArgumentError(`Not a part: ${fault?.field ?? ''} ${fault?.description ?? ''}`.trimEnd());
  }
  return frozenPart(decoded.value);
}

// What decoders make is fresh, but not frozen.
function frozenPart(part: Part): Part {
  if ('data' in part) return Object.freeze({ ...part, data: BusinessValues.snapshot(part.data), ...metadataOf(part) });
  return Object.freeze({ ...part, ...metadataOf(part) });
}

function metadataOf({ metadata }: Part): Pick<Part, 'metadata'> {
  return metadata === undefined ? {} : { metadata: BusinessValues.map(metadata) };
}
