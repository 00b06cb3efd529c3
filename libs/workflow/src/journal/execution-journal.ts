import type { JournalRecord } from './journal-record.js';

/**
 * Keeps what runs have done, so that they can go on after a crash.
 *
 * @publicApi
 */
export abstract class ExecutionJournal {
  /**
   * Makes the caller the only one that writes this run's journal.
   *
   * @returns gives it back
   * @throws WorkflowStateError when somebody else has it
   */
  abstract claim(executionId: string): Promise<() => Promise<void>>;

  /** Adds a record. When the promise resolves, it outlives the process. */
  abstract append(executionId: string, record: JournalRecord): Promise<void>;

  /** All records in their order; none for a run that it does not know. */
  abstract read(executionId: string): Promise<readonly JournalRecord[]>;

  /** Forgets a run. */
  abstract remove(executionId: string): Promise<void>;

  /** The runs that have not ended, in any order. */
  abstract unfinished(): Promise<readonly string[]>;
}
