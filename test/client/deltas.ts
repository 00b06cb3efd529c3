import { isTextPart, type StreamResponse } from 'nestjs-a2a/protocol';

/** The text of a delta; empty for every other event. */
export function deltaOf(event: StreamResponse): string {
  if (!('artifactUpdate' in event)) return '';
  return event.artifactUpdate.artifact.parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
}

/** What a reader joins who looks at nothing but the deltas. */
export async function joinedDeltas(events: AsyncIterable<StreamResponse>): Promise<string> {
  let text = '';
  for await (const event of events) text += deltaOf(event);
  return text;
}
