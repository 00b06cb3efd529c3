import { type Artifact, decodePart, isRecord, type Part, type Struct } from 'nestjs-a2a/protocol';
import { WorkflowStateError } from '../errors/workflow.error.js';
import { BusinessValues } from '../model/business-values.js';
import { MessageContent } from '../model/message-content.js';
import { ReceivedMessage } from '../model/received-message.js';
import { TaskResult } from '../model/task-result.js';

/** Makes a message of what a journal kept of it. */
export function reviveContent(value: unknown): MessageContent {
  const { parts, metadata, extensions } = objectOf(value);
  return new MessageContent(listOf(parts).map(partOf), objectOf(metadata), listOf(extensions).map(String));
}

/** Makes a result of what a journal kept of it. */
export function reviveResult(value: unknown): TaskResult {
  const { success, outputs, receivedMessages, error, errorCode, errorDetails } = objectOf(value);
  return TaskResult.of({
    success: success === true,
    outputs: listOf(outputs),
    receivedMessages: listOf(receivedMessages).map(reviveReceived),
    error: textOrNull(error),
    errorCode: textOrNull(errorCode),
    errorDetails: objectOf(errorDetails),
  });
}

function reviveReceived(value: unknown): ReceivedMessage {
  const { message, taskMetadata, artifacts } = objectOf(value);
  const content = message === null || message === undefined ? null : reviveContent(message);
  return new ReceivedMessage(content, objectOf(taskMetadata), listOf(artifacts).map(artifactOf));
}

function partOf(value: unknown): Part {
  const decoded = decodePart(value);
  if (!decoded.ok) throw damaged();
  return decoded.value;
}

function artifactOf(value: unknown): Artifact {
  const { artifactId, name, description, parts, metadata, extensions } = objectOf(value);
  if (typeof artifactId !== 'string') throw damaged();
  return {
    artifactId,
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    parts: listOf(parts).map(partOf),
    ...(metadata === undefined ? {} : { metadata: structOf(metadata) }),
    ...(extensions === undefined ? {} : { extensions: listOf(extensions).map(String) }),
  };
}

function structOf(value: unknown): Struct {
  return { ...BusinessValues.map(objectOf(value)) };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw damaged();
  return value;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged();
  return value;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function damaged(): WorkflowStateError {
  return new WorkflowStateError('A journal holds something that no run has written');
}
