import type { JsonValue } from 'nestjs-a2a/protocol';
import type { HistoryEntry, StepOutputs } from '../model/execution-result.js';
import type { UpstreamStepResult } from '../model/workflow-input.js';
import type { TaskExecutionResult } from '../model/task-execution-result.js';
import { uniqueObject } from './unique-object.js';

type StepResults = Readonly<Record<string, readonly JsonValue[]>>;

/** A finished subtask and its place in the step. */
export interface CollectedResult {
  readonly index: number;
  readonly result: TaskExecutionResult;
}

/** What a run has come to so far. */
export class ExecutionRecord {
  private readonly rows: HistoryEntry[] = [];
  private readonly outputs = new Map<string, StepResults>();
  private readonly results = new Map<number, UpstreamStepResult>();

  addRow(row: HistoryEntry): void {
    this.rows.push(Object.freeze(row));
  }

  /** @returns the outputs of the step, by the description of the subtask */
  stepFinished(step: number, name: string, collected: readonly CollectedResult[]): StepResults {
    const outputs = outputsByDescription(collected);
    this.outputs.set(name, outputs);
    const taskResults = Object.freeze(collected.map(({ result }) => result));
    this.results.set(step, Object.freeze({ stepName: name, taskResults }));
    return outputs;
  }

  /** `undefined` until the step has finished. */
  resultsOf(step: number): readonly TaskExecutionResult[] | undefined {
    return this.results.get(step)?.taskResults;
  }

  /** The same as later steps see it. */
  upstreamOf(step: number): UpstreamStepResult | undefined {
    return this.results.get(step);
  }

  get history(): readonly HistoryEntry[] {
    return Object.freeze([...this.rows]);
  }

  get stepOutputs(): StepOutputs {
    return uniqueObject([...this.outputs]);
  }
}

function outputsByDescription(collected: readonly CollectedResult[]): StepResults {
  const times = new Map<string, number>();
  for (const { result } of collected) {
    times.set(result.taskDescription, (times.get(result.taskDescription) ?? 0) + 1);
  }
  return uniqueObject(
    collected.map(({ index, result }) => {
      const { taskDescription, agentName, outputs } = result;
      const isShared = (times.get(taskDescription) ?? 0) > 1;
      return [isShared ? `${taskDescription} [${agentName}#${index}]` : taskDescription, outputs];
    }),
  );
}
