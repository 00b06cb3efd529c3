import { isInterrupted, isTerminal, type StreamResponse } from 'nestjs-a2a/protocol';
import { abortable } from 'nestjs-a2a/net';
import type { Awaitable } from '../../awaitable.js';
import { RemoteA2AError } from '../../errors/remote-a2a.error.js';
import type { ResponseAccumulator } from '../response/response-accumulator.js';

/** Events on their way. */
export interface EventSource {
  readonly events: AsyncIterable<StreamResponse>;
  readonly accumulator: ResponseAccumulator;
  /** Aborted: nothing more is waited for. */
  readonly signal: AbortSignal;
  /** Told of each event once it is taken in; the next one waits for it. */
  readonly onEvent?: (event: StreamResponse) => Awaitable<void>;
  /** Whether a stream that breaks after its first event counts as one that ended: the task can still be asked for. */
  readonly mayBreak: boolean;
}

/** Where a task has come to when nobody needs to listen any more. */
export type IsEnd = (accumulator: ResponseAccumulator) => boolean;

/** A send ends where the agent ends, or waits for the other side. */
export const endsSend: IsEnd = ({ state }) => state !== undefined && (isTerminal(state) || isInterrupted(state));

/** A subscription ends with its task. */
export const endsTask: IsEnd = ({ state }) => state !== undefined && isTerminal(state);

/**
 * Takes events in until there are no more of them, or no more are needed.
 *
 * @throws RemoteA2AError what the agent said instead of an event
 */
export async function collectEvents(source: EventSource, isEnd: IsEnd): Promise<void> {
  const { events, accumulator, onEvent } = source;
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await nextEvent(iterator, source);
      if (next === undefined) break;
      accumulator.apply(next);
      await onEvent?.(next);
      if (isEnd(accumulator)) return;
    }
  } finally {
    leave(iterator);
  }
}

async function nextEvent(
  iterator: AsyncIterator<StreamResponse>,
  { accumulator, signal, mayBreak }: EventSource,
): Promise<StreamResponse | undefined> {
  try {
    const { done, value } = await abortable(iterator.next(), signal);
    return done === true ? undefined : value;
  } catch (error) {
    const isLost = !signal.aborted && RemoteA2AError.findIn(error) === undefined;
    if (isLost && mayBreak && !accumulator.isEmpty) return undefined;
    throw error;
  }
}

// Not waited for: a source that does not end is its own business.
function leave(iterator: AsyncIterator<StreamResponse>): void {
  try {
    iterator.return?.()?.then(undefined, () => undefined);
  } catch {
    // Neither is one that cannot be left.
  }
}
