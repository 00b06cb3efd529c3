import { randomUUID } from 'node:crypto';
import { TaskState, type Artifact } from 'nestjs-a2a/protocol';
import { agentMessageOf, partsOf, plainCopy } from '../agent/agent-content.js';
import type { AgentEmitter } from '../agent/agent-emitter.js';
import type { AgentContent, AgentMessage, ArtifactOptions } from '../agent/agent-output.js';
import type { AgentRun } from './agent-run.js';
import type { TaskSession } from './task-session.js';

/** The emitter of one run: turns what an author says into changes of the run's task. */
export class RunEmitter implements AgentEmitter {
  private textArtifactId: string | undefined;

  constructor(
    private readonly run: AgentRun,
    private readonly session: TaskSession,
  ) {}

  async updateStatus(state: TaskState, message?: AgentMessage): Promise<void> {
    if (message === undefined) return this.session.emitStatus(this.run, { state, bytes: 0 });
    const { key, contextId } = this.session.identity;
    const sized = agentMessageOf(message, { contextId, taskId: key.id });
    return this.session.emitStatus(this.run, { state, message: sized.value, bytes: sized.bytes });
  }

  async working(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.WORKING, message);
  }

  async requireInput(message: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.INPUT_REQUIRED, message);
  }

  async requireAuth(message: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.AUTH_REQUIRED, message);
  }

  async complete(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.COMPLETED, message);
  }

  async fail(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.FAILED, message);
  }

  async reject(message?: AgentMessage): Promise<void> {
    return this.updateStatus(TaskState.REJECTED, message);
  }

  async addArtifact(content: AgentContent, options: ArtifactOptions = {}): Promise<string> {
    const parts = partsOf(content);
    let { bytes } = parts;
    const artifact: Artifact = { artifactId: options.artifactId ?? randomUUID(), parts: parts.value };
    if (options.name !== undefined) artifact.name = options.name;
    if (options.description !== undefined) artifact.description = options.description;
    if (options.extensions !== undefined) artifact.extensions = [...options.extensions];
    if (options.metadata !== undefined) {
      const metadata = plainCopy(options.metadata, 'metadata');
      artifact.metadata = metadata.value;
      bytes += metadata.bytes;
    }
    const { append = false, lastChunk = false } = options;
    await this.session.emitArtifact(this.run, { artifact, append, lastChunk, bytes });
    return artifact.artifactId;
  }

  async text(chunk: string): Promise<void> {
    if (chunk === '') return;
    const parts = partsOf(chunk);
    const append = this.textArtifactId !== undefined;
    this.textArtifactId ??= randomUUID();
    const artifact: Artifact = { artifactId: this.textArtifactId, parts: parts.value };
    return this.session.emitArtifact(this.run, { artifact, append, lastChunk: false, bytes: parts.bytes });
  }

  async sendMessage(message: AgentMessage): Promise<void> {
    const { contextId } = this.session.identity;
    return this.session.emitMessage(this.run, agentMessageOf(message, { contextId }));
  }

  detach(): void {
    this.run.detached = true;
  }
}
