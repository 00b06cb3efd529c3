import type { SendTaskJournal } from '../client/workflow-engine-client.js';
import type { MessageContent } from '../model/message-content.js';
import type { RouteDecision } from '../model/route.js';
import type { TaskResult } from '../model/task-result.js';

/** A subtask by its place in the workflow. */
export interface SubtaskPlace {
  readonly step: string;
  readonly index: number;
}

/** Keeps a run for a later life of the process, and knows what an earlier one had done. */
export interface ExecutionRecorder {
  /** What the subtask came to in an earlier life. */
  finishedBefore(place: SubtaskPlace): TaskResult | undefined;
  /** What was sent for the subtask in an earlier life. */
  sentBefore(place: SubtaskPlace): MessageContent | undefined;
  /** The agent's task that the subtask left behind in an earlier life. */
  taskBefore(place: SubtaskPlace): string | undefined;
  /** What the step decided in an earlier life, in the order of its edges. */
  routedBefore(step: string): readonly RouteDecision[] | undefined;
  /** Goes with the send of the subtask. `undefined`: nothing is kept. */
  sendJournal(place: SubtaskPlace, content: MessageContent): SendTaskJournal | undefined;
  finished(place: SubtaskPlace, result: TaskResult): Promise<void>;
  routed(step: string, decisions: readonly RouteDecision[]): Promise<void>;
}

/** For runs that nobody means to resume. */
export const NO_RECORDER: ExecutionRecorder = {
  finishedBefore: () => undefined,
  sentBefore: () => undefined,
  taskBefore: () => undefined,
  routedBefore: () => undefined,
  sendJournal: () => undefined,
  finished: () => Promise.resolve(),
  routed: () => Promise.resolve(),
};
