import { isDeepStrictEqual } from 'node:util';
import {
  isTerminal,
  TaskState,
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
} from 'nestjs-a2a/protocol';
import { AgentEmitterError } from '../agent/agent-emitter.error.js';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import type { AgentMessageBody } from '../agent/agent-output.js';
import type { RequestContext } from '../agent/request-context.js';

interface KnownArtifact {
  readonly head: Omit<Artifact, 'parts'>;
  readonly parts: Part[];
}

/** Turns what an executor has published into what one run emits. */
export class A2AJsPublisher {
  /** The last event was one after which nothing is to come. */
  over = false;
  /** The state that the task has by what was published so far; undefined before there is one. */
  private state: TaskState | undefined;
  /** The artifacts of the task as they are by what was published so far. */
  private readonly artifacts: Map<string, KnownArtifact>;

  constructor(
    { task }: Pick<RequestContext, 'task'>,
    private readonly emitter: AgentEmitter,
  ) {
    this.state = task?.status.state;
    this.artifacts = new Map(task?.artifacts?.map((artifact) => [artifact.artifactId, knownOf(artifact)]));
  }

  /** Whether the task waits for a credential: then whoever has published so may go on or not. */
  get waits(): boolean {
    return this.state === TaskState.AUTH_REQUIRED;
  }

  /** Emits in this very turn, so that the order of events is that of calls. @returns when they are accepted */
  async emit(event: StreamResponse): Promise<void> {
    if ('message' in event) await this.emitMessage(event.message);
    else if ('statusUpdate' in event) await this.emitStatus(event.statusUpdate.status);
    else if ('artifactUpdate' in event) {
      const { artifact, append = false, lastChunk = false } = event.artifactUpdate;
      await this.emitArtifact(artifact, append, lastChunk);
    } else {
      const { status, artifacts = [] } = event.task;
      const emitted = artifacts
        .filter((artifact) => !this.isKnown(artifact))
        .map((artifact) => this.emitArtifact(artifact));
      // The whole task is said again and again; a state that it has already is no news.
      const told = status.state === this.state && status.message === undefined;
      await Promise.all([...emitted, told ? undefined : this.emitStatus(status)]);
    }
  }

  private emitStatus({ state, message }: { readonly state: TaskState; readonly message?: Message }): Promise<void> {
    const first = this.state === undefined && this.artifacts.size === 0;
    // A task begins as submitted and never is so again, and a state that is none says nothing.
    if (state === TaskState.UNSPECIFIED || (state === TaskState.SUBMITTED && !first)) return Promise.resolve();
    this.state = state;
    this.over ||= isTerminal(state) || state === TaskState.INPUT_REQUIRED;
    const accepted = this.emitter.updateStatus(state, message && bodyOf(message));
    return state === TaskState.SUBMITTED ? accepted.catch(unlessBegun) : accepted;
  }

  private async emitArtifact(artifact: Artifact, append = false, lastChunk = false): Promise<void> {
    const { parts, ...head } = artifact;
    // There, a chunk of an artifact that nobody has begun begins it.
    const begun = append ? this.artifacts.get(head.artifactId) : undefined;
    if (begun === undefined) this.artifacts.set(head.artifactId, knownOf(artifact));
    else for (const part of parts) begun.parts.push(part);
    const options = { ...head, append: begun !== undefined, lastChunk };
    await this.emitter.addArtifact(filled(parts), options);
  }

  /** In a task that exists, a message is what it ends with. */
  private emitMessage(message: Message): Promise<void> {
    const body = bodyOf(message) ?? { parts: filled([]) };
    this.over = true;
    const direct = this.state === undefined && this.artifacts.size === 0;
    if (direct) return this.emitter.sendMessage(body);
    this.state = TaskState.COMPLETED;
    return this.emitter.complete(body);
  }

  private isKnown(artifact: Artifact): boolean {
    return isDeepStrictEqual(this.artifacts.get(artifact.artifactId), knownOf(artifact));
  }
}

/** Its list of parts is ours: chunks that follow are added to it. */
function knownOf({ parts, ...head }: Artifact): KnownArtifact {
  return { head, parts: [...parts] };
}

/** Time may have made the task before its executor did. */
function unlessBegun(error: unknown): void {
  if (!(error instanceof AgentEmitterError) || error.code !== 'TRANSITION_NOT_ALLOWED') throw error;
}

/** Undefined when there is nothing in it. Ids are the server's. */
function bodyOf({ parts, metadata, extensions }: Message): AgentMessageBody | undefined {
  if (parts.length === 0 && metadata === undefined) return undefined;
  return { parts: filled(parts), metadata, extensions };
}

/** The protocol wants one part at least; a last chunk may come without any. */
function filled(parts: readonly Part[]): readonly Part[] {
  return parts.length === 0 ? [{ text: '' }] : parts;
}
