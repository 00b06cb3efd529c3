import type { A2AObserver } from './a2a.observer.js';

/** Who writes down that an observer has failed. */
export interface ObserverFailureLog {
  observerFailed(error: unknown): void;
}

/** Tells the host's observer. It is a guest here: what it throws is logged, and whoever reports does not notice. */
export class ObserverReports {
  constructor(
    private readonly observer: A2AObserver,
    private readonly log: ObserverFailureLog,
  ) {}

  tell(report: (observer: A2AObserver) => void): void {
    try {
      report(this.observer);
    } catch (error) {
      this.log.observerFailed(error);
    }
  }
}
