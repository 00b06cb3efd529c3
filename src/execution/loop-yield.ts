const MAX_BURST_MS = 8;
const MAX_BURST_BYTES = 256 * 1024;

let burstStart = 0;

/** Milliseconds for which this turn of the event loop has been emitting. */
function burstMillis(): number {
  const now = performance.now();
  if (burstStart === 0) {
    burstStart = now;
    setImmediate(() => {
      burstStart = 0;
    });
  }
  return now - burstStart;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Tells an emitting agent when to let the event loop turn, so that sockets are written and other calls are served
 * while it emits as fast as it can: after some milliseconds of all agents together, or some bytes of its own.
 */
export class BurstGauge {
  private bytes = 0;

  /** A promise for the next turn when it is time, else undefined. */
  note(bytes: number): Promise<void> | undefined {
    this.bytes += bytes;
    if (this.bytes < MAX_BURST_BYTES && burstMillis() < MAX_BURST_MS) return undefined;
    this.bytes = 0;
    return nextTurn();
  }
}
