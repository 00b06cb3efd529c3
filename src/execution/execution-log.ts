import type { LoggerService } from '@nestjs/common';
import type { TaskKey } from '../tasks/task-record.js';
import { stackOfThrown, textOfThrown } from '../thrown-value.js';

/** What executions write to the host's log. Never the content of messages. */
export class ExecutionLog {
  constructor(private readonly logger: LoggerService) {}

  executorFailed({ id }: TaskKey, error: unknown, correlationId: string): void {
    this.logger.error(`Task ${id}: the executor failed (correlation id ${correlationId})`, stackOfThrown(error));
  }

  failedAfterEnd({ id }: TaskKey, error: unknown): void {
    this.logger.warn(`Task ${id}: the executor failed after its run had ended: ${textOfThrown(error)}`);
  }

  runFailed({ id }: TaskKey, error: unknown): void {
    this.logger.error(`Task ${id}: the run could not be brought to its end`, stackOfThrown(error));
  }

  runAbandoned({ id }: TaskKey): void {
    this.logger.warn(`Task ${id}: the executor does not stop; its run is given up. Heed context.signal`);
  }

  storeFailed({ id }: TaskKey, error: unknown): void {
    this.logger.error(`Task ${id}: the task could not be stored; its run is stopped`, stackOfThrown(error));
  }

  busFailed({ id }: TaskKey, error: unknown): void {
    this.logger.error(`Task ${id}: its events could not be handed out; its readers get an error`, stackOfThrown(error));
  }

  sweepFailed(error: unknown): void {
    this.logger.error('Tasks that wait too long could not be looked for', stackOfThrown(error));
  }

  observerFailed(error: unknown): void {
    this.logger.warn(`The A2AObserver failed: ${textOfThrown(error)}`);
  }
}
