import type { SendTaskJournal } from '../client/workflow-engine-client.js';
import { OUTCOME_UNKNOWN } from '../errors/outcome-unknown.error.js';
import { BusinessValues } from '../model/business-values.js';
import type { MessageContent } from '../model/message-content.js';
import type { RouteDecision } from '../model/route.js';
import type { TaskResult } from '../model/task-result.js';
import type { ExecutionJournal } from './execution-journal.js';
import type { ExecutionRecorder, SubtaskPlace } from './execution-recorder.js';
import type { JournalRecord } from './journal-record.js';
import { reviveContent, reviveResult } from './revive.js';

interface Sent {
  readonly contextId: string;
  readonly messageId: string;
  readonly content: MessageContent;
  taskId?: string;
}

/** Writes a run into a journal, and has read what is there already. */
export class JournalRecorder implements ExecutionRecorder {
  private readonly results = new Map<string, TaskResult>();
  private readonly sends = new Map<string, Sent>();
  private readonly routes = new Map<string, readonly RouteDecision[]>();
  private written = false;

  constructor(
    private readonly journal: ExecutionJournal,
    private readonly executionId: string,
    before: readonly JournalRecord[] = [],
    private readonly resendUnknown = false,
  ) {
    for (const record of before) this.read(record);
  }

  finishedBefore(place: SubtaskPlace): TaskResult | undefined {
    return this.results.get(keyOf(place));
  }

  sentBefore(place: SubtaskPlace): MessageContent | undefined {
    return this.sends.get(keyOf(place))?.content;
  }

  taskBefore(place: SubtaskPlace): string | undefined {
    return this.sends.get(keyOf(place))?.taskId;
  }

  routedBefore(step: string): readonly RouteDecision[] | undefined {
    return this.routes.get(step);
  }

  sendJournal({ step, index }: SubtaskPlace, content: MessageContent): SendTaskJournal {
    const sent = this.sends.get(keyOf({ step, index }));
    return {
      ...(sent !== undefined && { resume: { ...sent, resendUnknown: this.resendUnknown } }),
      beforeSend: ({ contextId, messageId }) =>
        this.append({ kind: 'send', step, index, contextId, messageId, content: BusinessValues.snapshot(content) }),
      taskKnown: (taskId) => this.append({ kind: 'task', step, index, taskId }),
    };
  }

  /** Has anything come to what was there before? */
  get hasWritten(): boolean {
    return this.written;
  }

  finished({ step, index }: SubtaskPlace, result: TaskResult): Promise<void> {
    // Not for good: it may be found out yet, or sent again.
    if (result.errorCode === OUTCOME_UNKNOWN) return Promise.resolve();
    return this.append({ kind: 'finished', step, index, result: BusinessValues.snapshot(result) });
  }

  routed(step: string, decisions: readonly RouteDecision[]): Promise<void> {
    return this.append({ kind: 'routed', step, decisions });
  }

  private append(record: JournalRecord): Promise<void> {
    this.written = true;
    return this.journal.append(this.executionId, record);
  }

  private read(record: JournalRecord): void {
    switch (record.kind) {
      case 'send': {
        const { contextId, messageId, content } = record;
        this.sends.set(keyOf(record), { contextId, messageId, content: reviveContent(content) });
        break;
      }
      case 'task': {
        const sent = this.sends.get(keyOf(record));
        if (sent !== undefined) sent.taskId = record.taskId;
        break;
      }
      case 'finished':
        this.results.set(keyOf(record), reviveResult(record.result));
        break;
      case 'routed':
        this.routes.set(record.step, record.decisions);
        break;
    }
  }
}

function keyOf({ step, index }: SubtaskPlace): string {
  return `${index}:${step}`;
}
