import { type Artifact, isDataPart, isTextPart, type JsonValue, type Part } from 'nestjs-a2a/protocol';
import { BusinessValues, type JsonObject } from './business-values.js';
import { MessageContent } from './message-content.js';

/**
 * What an agent answered, its levels kept apart: a message of its own, or a task's status message, metadata and artifacts.
 *
 * @publicApi
 */
export class ReceivedMessage {
  readonly message: MessageContent | null;
  readonly taskMetadata: JsonObject;
  readonly artifacts: readonly Artifact[];

  constructor(message: MessageContent | null, taskMetadata: object = {}, artifacts: Iterable<Artifact> = []) {
    this.message = message;
    this.taskMetadata = BusinessValues.map(taskMetadata);
    this.artifacts = Object.freeze([...artifacts].map(artifactOf));
    Object.freeze(this);
  }

  /**
   * The values in it: the texts and the data of the artifacts, in order; files are left out. Texts are not read as JSON
   * nor joined, lists stay one value.
   *
   * @param includeMessage where there is no artifact, take the message instead: right when the interaction succeeded,
   *   since the message of a failure is evidence and no output
   */
  outputs(includeMessage: boolean): readonly JsonValue[] {
    if (this.artifacts.length > 0) return Object.freeze(this.artifacts.flatMap(({ parts }) => valuesOf(parts)));
    return Object.freeze(includeMessage && this.message !== null ? valuesOf(this.message.parts) : []);
  }
}

function valuesOf(parts: readonly Part[]): JsonValue[] {
  return parts.flatMap((part): JsonValue[] => {
    if (isTextPart(part)) return [part.text];
    // Wrapped, so that a value which is a list stays one value.
    return isDataPart(part) ? [part.data] : [];
  });
}

function artifactOf(artifact: Artifact): Artifact {
  const { metadata, extensions } = artifact;
  const parts = [...new MessageContent(artifact.parts).parts];
  Object.freeze(parts);
  const uris = [...(extensions ?? [])];
  Object.freeze(uris);
  return Object.freeze({
    ...artifact,
    parts,
    ...(metadata === undefined ? {} : { metadata: BusinessValues.map(metadata) }),
    ...(extensions === undefined ? {} : { extensions: uris }),
  });
}
