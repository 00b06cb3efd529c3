import { isTextPart, type Part, type StreamResponse, type TaskState } from 'nestjs-a2a/protocol';

/** The text parts, joined. */
export function textOfParts(parts: readonly Part[]): string {
  return parts
    .filter(isTextPart)
    .map(({ text }) => text)
    .join('');
}

/** The state that an event brings, if it brings one. */
export function stateOf(event: StreamResponse): TaskState | undefined {
  if ('task' in event) return event.task.status.state;
  return 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
}

/** The text that an event adds to the artifacts, or the direct message. */
export function textOfEvent(event: StreamResponse): string {
  if ('task' in event) return (event.task.artifacts ?? []).map(({ parts }) => textOfParts(parts)).join('');
  if ('message' in event) return textOfParts(event.message.parts);
  return 'artifactUpdate' in event ? textOfParts(event.artifactUpdate.artifact.parts) : '';
}

export function taskIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.id;
  if ('message' in event) return undefined;
  return 'statusUpdate' in event ? event.statusUpdate.taskId : event.artifactUpdate.taskId;
}
