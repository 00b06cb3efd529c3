import type { WorkflowExecutorOptions } from '../core/workflow-executor.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import type { ExecutionJournal } from '../journal/execution-journal.js';
import { JournalRecorder } from '../journal/journal-recorder.js';
import { BusinessValues } from '../model/business-values.js';
import type { ExecutionResult } from '../model/execution-result.js';
import { Workflow } from '../model/workflow.js';

/** The error of a run that was cancelled. */
export const CANCELLED = 'Workflow execution cancelled';

/** What an executor is made of, the run's own parts left out. */
export type ExecutorSettings = Omit<WorkflowExecutorOptions, 'eventCallback' | 'executionId' | 'onCallbackError'>;

/** A run that is ready to begin. */
export interface PreparedRun {
  readonly settings: ExecutorSettings;
  /** The run is over; notes it, and lets go of what was taken. */
  end(result: Pick<ExecutionResult, 'success' | 'error'>): Promise<void>;
}

/** Makes a run ready, once its id is known. The signal says that nobody wants it any more. */
export type PrepareRun = (executionId: string, signal: AbortSignal) => Promise<PreparedRun>;

/** A run of which nothing is kept. */
export function plainRun(settings: ExecutorSettings): PrepareRun {
  return () => Promise.resolve({ settings, end: () => Promise.resolve() });
}

/** A new run that is kept in a journal. */
export function journaledRun(settings: ExecutorSettings, journal: ExecutionJournal): PrepareRun {
  return async (executionId) => {
    const release = await journal.claim(executionId);
    try {
      const before = await journal.read(executionId);
      if (before.length > 0) {
        throw new WorkflowStateError(
          `Execution is in the journal already: ${executionId}. Resume it, or choose another id`,
        );
      }
      const { workflow, runtimeIntent = '', lang = 'zh' } = settings;
      await journal.append(executionId, {
        kind: 'run',
        workflow: BusinessValues.snapshot(workflow),
        runtimeIntent,
        lang,
      });
      const recorder = new JournalRecorder(journal, executionId);
      return { settings: { ...settings, recorder }, end: endOf(journal, executionId, release) };
    } catch (error) {
      await release();
      throw error;
    }
  };
}

/** Where a run comes from. */
export interface ResumeFrom {
  readonly journal: ExecutionJournal;
  readonly resendUnknown?: boolean;
}

/** A run that a journal has kept: goes on with what was left of it. */
export function resumedRun(
  settings: Omit<ExecutorSettings, 'lang' | 'runtimeIntent' | 'workflow'>,
  { journal, resendUnknown }: ResumeFrom,
): PrepareRun {
  return async (executionId) => {
    const release = await journal.claim(executionId);
    try {
      const before = await journal.read(executionId);
      const [first] = before;
      if (first?.kind !== 'run') throw new WorkflowStateError(`Execution is not in the journal: ${executionId}`);
      const last = before.at(-1);
      if (last?.kind === 'ended' && last.error === CANCELLED) {
        throw new WorkflowStateError(`Execution was cancelled, and its agents' tasks with it: ${executionId}`);
      }
      const { runtimeIntent, lang } = first;
      const recorder = new JournalRecorder(journal, executionId, before, resendUnknown);
      const hasEnded = last?.kind === 'ended';
      const end = endOf(journal, executionId, release);
      return {
        settings: { ...settings, workflow: Workflow.fromMap(first.workflow), runtimeIntent, lang, recorder },
        end: (result) => (hasEnded && !recorder.hasWritten ? release() : end(result)),
      };
    } catch (error) {
      await release();
      throw error;
    }
  };
}

function endOf(journal: ExecutionJournal, executionId: string, release: () => Promise<void>): PreparedRun['end'] {
  return async ({ success, error }) => {
    try {
      await journal.append(executionId, { kind: 'ended', success, error });
    } finally {
      await release();
    }
  };
}
