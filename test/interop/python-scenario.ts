import type { AgentCard, StreamResponse } from 'nestjs-a2a/protocol';
import type { Chopping } from '../client/chopping-proxy.js';
import { deltaOf } from '../client/deltas.js';

/** What the Python agent says on `slow 12 …`. */
export const CHUNKS_TEXT = Array.from({ length: 12 }, (_, index) => `c${index + 1} `).join('');

/** What it sends on `parts`. */
export const PYTHON_PARTS = [
  { text: 'a text' },
  { raw: 'aGVsbG8=', filename: 'hello.txt', mediaType: 'text/plain' },
  { url: 'https://example.com/a.png', filename: 'a.png', mediaType: 'image/png' },
  { data: { key: 'value', count: 42, none: null, list: [1, 'two'] } },
];

/** Two cuts, byte by byte. */
export const CHOPPING: Chopping = {
  writeBytes: 1,
  lineEnd: '\r\n',
  byteOrderMark: true,
  ids: false,
  comments: true,
  heldBytes: 0,
  faults: [
    { kind: 'cut', afterFrames: 4, bytesOfNext: 20 },
    { kind: 'cut', afterFrames: 2, bytesOfNext: 0 },
  ],
};

/** The card of an agent that is reached by way of a proxy. */
export function viaProxy(card: AgentCard, agent: string, proxy: string): AgentCard {
  const supportedInterfaces = card.supportedInterfaces.map((entry) => ({
    ...entry,
    url: entry.url.replace(agent, proxy),
  }));
  return { ...card, supportedInterfaces };
}

/**
 * What was read, with each chunk once: when this package's agent is subscribed to, it may tell a chunk in the first
 * snapshot and then again as an event, and nothing in the event shows it.
 */
export function withoutRepeats(text: string): string {
  return text
    .split(/(?<= )/)
    .filter((chunk, index, chunks) => chunk !== chunks[index - 1])
    .join('');
}

/** An event in a word, as far as it matters here. */
export function wordOf(event: StreamResponse): string {
  if ('task' in event) return `task ${event.task.status.state}`;
  if ('statusUpdate' in event) return event.statusUpdate.status.state;
  return 'artifactUpdate' in event ? `chunk ${deltaOf(event)}` : 'message';
}

export async function wordsOf(events: AsyncIterable<StreamResponse>): Promise<string[]> {
  const words: string[] = [];
  for await (const event of events) words.push(wordOf(event));
  return words;
}
