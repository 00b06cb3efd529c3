import { randomUUID } from 'node:crypto';
import { TaskState, type Artifact, type Part } from 'nestjs-a2a/protocol';
import { agentMessageOf, artifactOf, partsOf, type Sized } from '../agent/agent-content.js';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import type { AgentContent, AgentMessage, ArtifactOptions } from '../agent/agent-output.js';
import { isPending, whenDone, type Awaitable } from '../awaitable.js';
import type { AgentRun } from './agent-run.js';
import type { ArtifactInput } from './task-change.js';
import type { TaskSession } from './task-session.js';

/**
 * The emitter of one run: turns what an author says into changes of the run's task. A refusal that the author does not
 * wait for must not end the host's process as an unhandled rejection, so every promise handed out counts as handled.
 */
export class RunEmitter implements AgentEmitter {
  private textArtifactId: string | undefined;

  constructor(
    private readonly run: AgentRun,
    private readonly session: TaskSession,
  ) {}

  updateStatus(state: TaskState, message?: AgentMessage): Promise<void> {
    return promised(() => this.emitStatus(state, message));
  }

  working(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.WORKING, message);
  }

  requireInput(message: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.INPUT_REQUIRED, message);
  }

  requireAuth(message: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.AUTH_REQUIRED, message);
  }

  complete(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.COMPLETED, message);
  }

  fail(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.FAILED, message);
  }

  reject(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.REJECTED, message);
  }

  addArtifact(content: AgentContent, options: ArtifactOptions = {}): Promise<string> {
    return promised(() => this.emitArtifact(content, options));
  }

  text(chunk: string): Promise<void> {
    return promised(() => this.emitText(chunk));
  }

  sendMessage(message: AgentMessage): Promise<void> {
    return promised(() => this.emitMessage(message));
  }

  detach(): void {
    this.run.detached = true;
  }

  private emitStatus(state: TaskState, message: AgentMessage | undefined): Awaitable<void> {
    if (!STATES.has(state)) throw new AgentEmitterError('INVALID_CONTENT', `${String(state)} is no state of a task`);
    if (message === undefined) return this.session.emitStatus(this.run, { state, bytes: 0 });
    const { key, contextId } = this.session.identity;
    const sized = agentMessageOf(message, { contextId, taskId: key.id });
    return this.session.emitStatus(this.run, { state, message: sized.value, bytes: sized.bytes });
  }

  private emitArtifact(content: AgentContent, options: ArtifactOptions): Awaitable<string> {
    const { append = false, lastChunk = false, ...head } = options;
    const parts = partsOf(content);
    const plain = Object.keys(head).length === 0;
    const { value: artifact, bytes } = plain ? plainArtifact(parts) : artifactOf(parts, head);
    const accepted = this.session.emitArtifact(this.run, { artifact, append, lastChunk, bytes });
    return whenDone(accepted, () => artifact.artifactId);
  }

  private emitText(chunk: string): Awaitable<void> {
    if (chunk === '') return;
    const parts = partsOf(chunk);
    const append = this.textArtifactId !== undefined;
    this.textArtifactId ??= randomUUID();
    const artifact: Artifact = { artifactId: this.textArtifactId, parts: parts.value };
    const input = { artifact, append, lastChunk: false, bytes: parts.bytes };
    return append ? this.session.emitArtifact(this.run, input) : this.emitFirstText(input);
  }

  private async emitFirstText(input: ArtifactInput): Promise<void> {
    try {
      await this.session.emitArtifact(this.run, input);
    } catch (error) {
      // The next chunk must not be appended to what there never was.
      this.textArtifactId = undefined;
      throw error;
    }
  }

  private emitMessage(message: AgentMessage): Awaitable<void> {
    const { contextId } = this.session.identity;
    return this.session.emitMessage(this.run, agentMessageOf(message, { contextId }));
  }
}

const STATES: ReadonlySet<unknown> = new Set(Object.values(TaskState));

function ignore(): void {}

function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

/** Calls, and makes a promise of the outcome, whichever way it comes. */
function promised<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    const result = call();
    return isPending(result) ? handled(result) : Promise.resolve(result);
  } catch (error) {
    return handled(Promise.reject(error));
  }
}

function plainArtifact({ value, bytes }: Sized<Part[]>): Sized<Artifact> {
  return { value: { artifactId: randomUUID(), parts: value }, bytes };
}
