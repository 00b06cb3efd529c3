import type { AgentEmitter } from '../agent/agent-emitter.js';
import type { AgentExecution } from '../agent/agent-executor.js';
import type { AgentOutput } from '../agent/agent-output.js';
import type { Observable } from 'rxjs';

/** Emits one value of a generator or Observable. */
export async function emitOutput(emitter: AgentEmitter, output: AgentOutput): Promise<void> {
  if (typeof output === 'string') return emitter.text(output);
  if ('state' in output) return emitter.updateStatus(output.state, output.message);
  if ('message' in output) return emitter.sendMessage(output.message);
  if (!('artifact' in output)) return void (await emitter.addArtifact(output));
  const { parts, ...options } = output.artifact;
  await emitter.addArtifact(parts, { ...options, append: output.append, lastChunk: output.lastChunk });
}

/**
 * Carries out what an executor handed back, to its end: waits for a promise, emits what a generator or Observable
 * yields. Stops taking values when `signal` is aborted.
 *
 * @returns the text that the executor returned, if it returned one
 */
export async function carryOut(
  execution: AgentExecution,
  emitter: AgentEmitter,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (isObservable(execution)) {
    await drainObservable(execution, emitter, signal);
    return undefined;
  }
  if (isAsyncIterable(execution)) {
    for await (const output of execution) {
      if (signal.aborted) break;
      await emitOutput(emitter, output);
    }
    return undefined;
  }
  return (await execution) ?? undefined;
}

function drainObservable(source: Observable<AgentOutput>, emitter: AgentEmitter, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let last: Promise<void> = Promise.resolve();
    const finish = (settle: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const subscription = source.subscribe({
      next: (output) => {
        // In the order of the calls, since the emitter keeps it; a refused value ends the whole.
        last = emitOutput(emitter, output);
        last.catch((error: unknown) => {
          subscription.unsubscribe();
          finish(() => reject(error));
        });
      },
      error: (error: unknown) => finish(() => reject(error)),
      complete: () => finish(() => resolve(last)),
    });
    function onAbort(): void {
      subscription.unsubscribe();
      finish(resolve);
    }
    signal.addEventListener('abort', onAbort);
  });
}

function isObservable(value: AgentExecution): value is Observable<AgentOutput> {
  return typeof value === 'object' && value !== null && 'subscribe' in value && typeof value.subscribe === 'function';
}

function isAsyncIterable(value: AgentExecution): value is AsyncIterable<AgentOutput> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
