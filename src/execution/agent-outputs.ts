import type { AgentEmitter } from '../agent/agent-emitter.js';
import type { AgentOutput } from '../agent/agent-output.js';
import { Subscription, type Observable } from 'rxjs';

/** Emits one value of a generator or Observable. */
export async function emitOutput(emitter: AgentEmitter, output: AgentOutput): Promise<void> {
  if (typeof output === 'string') return emitter.text(output);
  if ('state' in output) return emitter.updateStatus(output.state, output.message);
  if ('message' in output) return emitter.sendMessage(output.message);
  if (!('artifact' in output)) return void (await emitter.addArtifact(output));
  const { parts, ...options } = output.artifact;
  await emitter.addArtifact(parts, { ...options, append: output.append, lastChunk: output.lastChunk });
}

/** When to take no more values. */
export interface StopSign {
  readonly signal: AbortSignal;
  /** Once the signal is aborted: whether the run really stops. False when its executor has refused to be canceled. */
  stopping(): Promise<boolean>;
}

/** What an executor yields, value by value. */
export type AgentSequence = AsyncIterable<AgentOutput> | Iterable<AgentOutput> | Observable<AgentOutput>;

/** Whether an executor is written as a generator or an Observable. */
export function isSequence(execution: unknown): execution is AgentSequence {
  return isObservable(execution) || isIterable(execution);
}

/**
 * Emits what a generator or Observable yields, to its end. Stops taking values when `signal` is aborted and `stopping`
 * says that it stays so.
 */
export async function emitAll(sequence: AgentSequence, emitter: AgentEmitter, stop: StopSign): Promise<void> {
  if (isObservable(sequence)) return drainObservable(sequence, emitter, stop);
  for await (const output of sequence) {
    if (stop.signal.aborted && (await stop.stopping())) break;
    await emitOutput(emitter, output);
  }
}

function drainObservable(source: Observable<AgentOutput>, emitter: AgentEmitter, stop: StopSign): Promise<void> {
  const { signal } = stop;
  return new Promise((resolve, reject) => {
    let last: Promise<void> = Promise.resolve();
    const subscription = new Subscription();
    const finish = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      settle();
      try {
        subscription.unsubscribe();
      } catch {
        // A teardown that throws comes too late: how the run ended is said already.
      }
    };
    const onAbort = (): void => {
      void stop.stopping().then((stopping) => {
        if (stopping) finish(resolve);
      });
    };
    signal.addEventListener('abort', onAbort);
    subscription.add(
      source.subscribe({
        next: (output) => {
          // In the order of the calls, since the emitter keeps it; a refused value ends the whole.
          last = emitOutput(emitter, output);
          last.catch((error: unknown) => finish(() => reject(error)));
        },
        error: (error: unknown) => finish(() => reject(error)),
        complete: () => finish(() => resolve(last)),
      }),
    );
    if (signal.aborted) onAbort();
  });
}

function isObservable(value: unknown): value is Observable<AgentOutput> {
  return typeof value === 'object' && value !== null && 'subscribe' in value && typeof value.subscribe === 'function';
}

function isIterable(value: unknown): value is AsyncIterable<AgentOutput> | Iterable<AgentOutput> {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
}
