import type { TaskState } from 'nestjs-a2a/protocol';
import type { AgentContent, AgentMessage, ArtifactOptions } from './agent-output.js';

/**
 * Where an agent's work goes: status updates, artifacts, or one direct answer.
 *
 * Each method returns once the event is accepted, that is stored (a status) or applied and handed to the readers (a
 * chunk). So an agent that outruns its store is slowed down; await the calls. They are applied in the order in which
 * they were made, awaited or not.
 *
 * All methods reject with {@link AgentEmitterError} when the event may not be emitted: after the task's end, after
 * `requireInput()`, an append to an unknown artifact, what cannot be serialised, a task beyond `maxTaskBytes`. The
 * task is not damaged by a refused event.
 *
 * @publicApi
 */
export interface AgentEmitter {
  /** Sets the state of the task. Repeated WORKING updates are progress reports. */
  updateStatus(state: TaskState, message?: AgentMessage): Promise<void>;
  /** WORKING: the agent is at it. */
  working(message?: AgentMessage): Promise<void>;
  /** INPUT_REQUIRED: asks the caller. Ends this run's right to emit; the answer starts a new run. */
  requireInput(message: AgentMessage): Promise<void>;
  /** AUTH_REQUIRED: says which credential is missing. The run may live on and read `context.messages`. */
  requireAuth(message: AgentMessage): Promise<void>;
  /** COMPLETED. */
  complete(message?: AgentMessage): Promise<void>;
  /** FAILED, with a message that callers may see. */
  fail(message?: AgentMessage): Promise<void>;
  /** REJECTED: the agent does not want this task. */
  reject(message?: AgentMessage): Promise<void>;
  /**
   * Creates or replaces an artifact, or appends to one.
   *
   * @returns the artifact's id, for later `append` calls
   */
  addArtifact(parts: AgentContent, options?: ArtifactOptions): Promise<string>;
  /** Appends a chunk to this run's text artifact, which the first chunk creates. */
  text(chunk: string): Promise<void>;
  /**
   * Answers with a direct message instead of a task. Only as the first event. When the task exists already because
   * time made it (see `taskCreationDelayMs`), the message becomes the status message of its completion.
   */
  sendMessage(message: AgentMessage): Promise<void>;
  /** The run goes on after `execute()` has returned, until an end, the signal, or `maxRunSeconds`. */
  detach(): void;
}
