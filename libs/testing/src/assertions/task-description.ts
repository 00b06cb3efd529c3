import {
  isDataPart,
  isRawPart,
  isTextPart,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
} from 'nestjs-a2a/protocol';

const LONGEST = 200;

/** A task in a few lines, for people: its state, artifacts and history. */
export function describeTask(task: Task): string {
  const { id, status, artifacts = [], history = [] } = task;
  const said = status.message ? `: ${describeParts(status.message.parts)}` : '';
  return [
    `task ${id}`,
    `  ${status.state}${said}`,
    ...artifacts.map(({ artifactId, name, parts }) => `  artifact ${name ?? artifactId}: ${describeParts(parts)}`),
    ...history.map((message) => `  history ${describeMessage(message)}`),
  ].join('\n');
}

/** A message in one line. */
export function describeMessage({ role, parts }: Message): string {
  return `${role}: ${describeParts(parts)}`;
}

/** An event of a stream in one line. */
export function describeEvent(event: StreamResponse): string {
  if ('task' in event) return `task ${event.task.status.state}`;
  if ('message' in event) return `message ${describeMessage(event.message)}`;
  if ('artifactUpdate' in event) {
    const { artifact, append } = event.artifactUpdate;
    return `artifact ${artifact.name ?? artifact.artifactId}${append ? ' +' : ''}: ${describeParts(artifact.parts)}`;
  }
  const { state, message } = event.statusUpdate.status;
  return message ? `${state}: ${describeParts(message.parts)}` : state;
}

function describeParts(parts: readonly Part[]): string {
  return parts.map(describePart).join(' + ');
}

function describePart(part: Part): string {
  if (isTextPart(part)) return shortened(JSON.stringify(part.text));
  if (isDataPart(part)) return shortened(`data ${JSON.stringify(part.data)}`);
  const name = part.filename ?? part.mediaType ?? 'file';
  return isRawPart(part) ? `${name} (${part.raw.length} base64 characters)` : `${name} at ${part.url}`;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
