import { canTransition, type TaskState } from 'nestjs-a2a/protocol';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { TaskSnapshot } from '../tasks/task-snapshot.js';
import type { AgentRun } from './agent-run.js';

/** Whether a run may add to its task now. @throws AgentEmitterError */
export function checkRun(run: AgentRun, task: TaskSnapshot | undefined): void {
  if (run.directMessage) {
    throw new AgentEmitterError('EVENT_AFTER_MESSAGE', 'The run has answered with a direct message');
  }
  if (task?.ended) {
    throw new AgentEmitterError('TASK_ENDED', `The task is ${task.state}: nothing can be added to it`);
  }
  if (!run.accepts) {
    throw new AgentEmitterError('RUN_ENDED', 'This run may emit nothing more: it has asked for input or was cut off');
  }
}

/** Whether a run may answer with a message instead of a task. @throws AgentEmitterError */
export function checkMessageFirst(run: AgentRun): void {
  if (run.followUp || run.emitted > 0) {
    const text = 'A direct message is possible only as the first event of a task';
    throw new AgentEmitterError('MESSAGE_NOT_FIRST', text);
  }
}

/** Whether a task may change its state so. @throws AgentEmitterError */
export function checkTransition(from: TaskSnapshot, to: TaskState, strict: boolean): void {
  if (from.ended) throw new AgentEmitterError('TASK_ENDED', `The task is ${from.state}: an end never changes`);
  if (!canTransition(from.state, to, { strict })) {
    throw new AgentEmitterError('TRANSITION_NOT_ALLOWED', `A task cannot go from ${from.state} to ${to}`);
  }
}

/** Whether a task holds the artifact that a chunk belongs to. @throws AgentEmitterError */
export function checkAppend(task: TaskSnapshot, artifactId: string): void {
  if (!task.hasArtifact(artifactId)) {
    throw new AgentEmitterError('UNKNOWN_ARTIFACT', `There is no artifact '${artifactId}' to append to`);
  }
}
