import { callSafely } from '../call-safely.js';
import { messageOf } from '../errors/causes.js';
import { redactDetail } from '../errors/redaction.js';
import type { EngineLog } from '../logging/engine-log.js';
import type { WorkflowRun } from '../runner/workflow-run.js';
import type { WorkflowObserver, WorkflowRunReport } from './workflow.observer.js';

/** All observers of the app. */
export class Observers {
  constructor(
    private readonly observers: readonly WorkflowObserver[],
    private readonly log: EngineLog,
  ) {}

  /** Tells them of a run, from now on. */
  watch(run: WorkflowRun): void {
    if (this.observers.length === 0) return;
    const { executionId } = run;
    const startedAt = performance.now();
    this.tell((observer) => observer.runStarted(run));
    run.events$.subscribe((event) => this.tell((observer) => observer.event(executionId, event)));
    const ended = (end: Pick<WorkflowRunReport, 'outcome' | 'error'>): void => {
      const report = { executionId, ...end, milliseconds: performance.now() - startedAt };
      this.tell((observer) => observer.runEnded(report));
    };
    run.result.then(
      ({ success, error }) =>
        ended(success ? { outcome: 'success' } : { outcome: 'failure', ...(error !== null && { error }) }),
      (error: unknown) => ended({ outcome: 'error', error: error instanceof Error ? error.name : 'Error' }),
    );
  }

  private tell(call: (observer: WorkflowObserver) => unknown): void {
    for (const observer of this.observers) {
      callSafely(
        () => call(observer),
        (error) => this.log.warn(`${observer.constructor.name} threw: ${redactDetail(messageOf(error))}`),
      );
    }
  }
}
