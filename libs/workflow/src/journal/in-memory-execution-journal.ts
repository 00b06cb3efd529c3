import { WorkflowStateError } from '../errors/workflow.error.js';
import { ExecutionJournal } from './execution-journal.js';
import type { JournalRecord } from './journal-record.js';

/**
 * A journal that lasts as long as the process: for tests, and to try things out.
 *
 * @publicApi
 */
export class InMemoryExecutionJournal extends ExecutionJournal {
  private readonly runs = new Map<string, JournalRecord[]>();
  private readonly claimed = new Set<string>();

  /** @param maxEnded how many runs that have ended are kept; the oldest leave. Default: 1,000 */
  constructor(private readonly maxEnded = 1000) {
    super();
  }

  claim(executionId: string): Promise<() => Promise<void>> {
    if (this.claimed.has(executionId)) return Promise.reject(alreadyRunning(executionId));
    this.claimed.add(executionId);
    return Promise.resolve(() => {
      this.claimed.delete(executionId);
      return Promise.resolve();
    });
  }

  append(executionId: string, record: JournalRecord): Promise<void> {
    const records = this.runs.get(executionId);
    if (records === undefined) this.runs.set(executionId, [record]);
    else records.push(record);
    if (record.kind === 'ended') this.forgetOldest();
    return Promise.resolve();
  }

  read(executionId: string): Promise<readonly JournalRecord[]> {
    return Promise.resolve([...(this.runs.get(executionId) ?? [])]);
  }

  remove(executionId: string): Promise<void> {
    this.runs.delete(executionId);
    return Promise.resolve();
  }

  unfinished(): Promise<readonly string[]> {
    return Promise.resolve([...this.runs].filter(([, records]) => !hasEnded(records)).map(([id]) => id));
  }

  private forgetOldest(): void {
    const ended = [...this.runs].filter(([, records]) => hasEnded(records));
    for (const [id] of ended.slice(0, Math.max(ended.length - this.maxEnded, 0))) this.runs.delete(id);
  }
}

export function hasEnded(records: readonly JournalRecord[]): boolean {
  return records.at(-1)?.kind === 'ended';
}

export function alreadyRunning(executionId: string): WorkflowStateError {
  return new WorkflowStateError(`Execution is already running: ${executionId}`);
}
