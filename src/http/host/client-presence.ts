import { isGone, rawResponseOf, type RawResponse } from './raw-http.js';
import { onceClosed } from './response-close.js';

/**
 * Whether the client of a call is still there. Begins to watch when it is made, so make it before any `await`: a
 * `close` that has passed does not come again.
 */
export class ClientPresence {
  private left = false;
  private listeners: Set<() => void> | undefined;
  private controller: AbortController | undefined;

  constructor(response: object) {
    const raw = rawResponseOf(response);
    if (isGone(raw)) this.left = !raw.writableEnded;
    else onceClosed(raw, () => this.closed(raw));
  }

  /** True when the client left before the answer was complete. */
  get gone(): boolean {
    return this.left;
  }

  /** The same as a signal. A signal is dear to make, so it is made for whoever asks. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.left) this.controller.abort();
    }
    return this.controller.signal;
  }

  /**
   * Calls back when the client leaves before the answer is complete; at once if it has.
   *
   * @returns takes the listener away
   */
  onGone(listener: () => void): () => void {
    if (this.left) {
      listener();
      return ignore;
    }
    this.listeners ??= new Set();
    this.listeners.add(listener);
    return () => this.listeners?.delete(listener);
  }

  private closed(raw: RawResponse): void {
    // Not `writableFinished`: on HTTP/2 that is true after a cancel as well.
    if (raw.writableEnded) return;
    this.left = true;
    this.controller?.abort();
    const { listeners } = this;
    this.listeners = undefined;
    if (listeners !== undefined) for (const listener of listeners) listener();
  }
}

function ignore(): void {}
