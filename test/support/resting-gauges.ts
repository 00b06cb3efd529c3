import type { INestApplicationContext } from '@nestjs/common';
import { A2ADiagnostics, type A2AGauges } from 'nestjs-a2a';

const PATIENCE_MS = 10_000;

export function gaugesOf(app: INestApplicationContext): A2AGauges {
  return app.get(A2ADiagnostics, { strict: false }).gauges();
}

/** Resolves as soon as the gauges of an app are what is awaited; the limit of the test is the only one. */
export async function untilGauges(app: INestApplicationContext, holds: (gauges: A2AGauges) => boolean): Promise<void> {
  while (!holds(gaugesOf(app))) await new Promise((resolve) => setImmediate(resolve));
}

/** The gauges once nothing runs and nobody reads: an answer may be there before its run is put away. */
export async function restingGauges(app: INestApplicationContext): Promise<A2AGauges> {
  const end = performance.now() + PATIENCE_MS;
  const busy = ({ runsLive, sessions, openStreams, readers, busSubscribers }: A2AGauges): number =>
    runsLive + sessions + openStreams + readers + busSubscribers;
  while (busy(gaugesOf(app)) > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 2));
  return gaugesOf(app);
}
