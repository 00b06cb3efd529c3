const MAX_BURST_MS = 8;
const MAX_BURST_BYTES = 256 * 1024;

let turn = 0;
let counting = false;

/** The number of this turn of the event loop, as far as anybody emits in it. */
function currentTurn(): number {
  if (!counting) {
    counting = true;
    setImmediate(() => {
      counting = false;
      turn++;
    });
  }
  return turn;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Tells an emitting agent when to let the event loop turn, so that sockets are written and other calls are served
 * while it emits as fast as it can: after some milliseconds, or some bytes, within one turn.
 */
export class BurstGauge {
  private turn = -1;
  private since = 0;
  private bytes = 0;

  /** A promise for the next turn when it is time, else undefined. */
  note(bytes: number): Promise<void> | undefined {
    const now = currentTurn();
    if (now !== this.turn) {
      this.turn = now;
      this.since = performance.now();
      this.bytes = bytes;
      return undefined;
    }
    this.bytes += bytes;
    if (this.bytes < MAX_BURST_BYTES && performance.now() - this.since < MAX_BURST_MS) return undefined;
    return nextTurn();
  }
}
