import type { WorkflowRun } from '../runner/workflow-run.js';

/** The runs that are at work, and the last ones that have ended. */
export class KnownRuns {
  private readonly atWork = new Map<string, WorkflowRun>();
  private readonly ended = new Map<string, WorkflowRun>();

  /** @param maxEnded how many that have ended are known; the oldest are forgotten */
  constructor(private readonly maxEnded: number) {}

  get running(): readonly WorkflowRun[] {
    return [...this.atWork.values()];
  }

  get size(): number {
    return this.atWork.size;
  }

  find(executionId: string): WorkflowRun | undefined {
    return this.atWork.get(executionId) ?? this.ended.get(executionId);
  }

  isRunning(executionId: string): boolean {
    return this.atWork.has(executionId);
  }

  add(run: WorkflowRun): void {
    const { executionId } = run;
    this.ended.delete(executionId);
    this.atWork.set(executionId, run);
    const end = (): void => this.end(run);
    run.result.then(end, end);
  }

  private end(run: WorkflowRun): void {
    this.atWork.delete(run.executionId);
    this.ended.set(run.executionId, run);
    for (const id of this.ended.keys()) {
      if (this.ended.size <= this.maxEnded) return;
      this.ended.delete(id);
    }
  }
}
