import type { AgentEmitter } from 'nestjs-a2a';
import type { TaskView } from 'nestjs-a2a/client';
import { TaskState, type Artifact, type Part, type StreamResponse, type TaskStatus } from 'nestjs-a2a/protocol';
import { noteOf } from './remote-task.js';

/** Says what the analyst says, as if it were the desk's own. */
export class Relay {
  constructor(
    private readonly emitter: AgentEmitter,
    private readonly view: TaskView,
  ) {}

  async pass(event: StreamResponse): Promise<void> {
    if ('message' in event) return this.emitter.sendMessage(event.message.parts);
    if ('statusUpdate' in event) return this.status(event.statusUpdate.status);
    if ('artifactUpdate' in event) {
      const { artifact, append, lastChunk } = event.artifactUpdate;
      return this.artifact(artifact, { append, lastChunk });
    }
    for (const artifact of event.task.artifacts ?? []) await this.artifact(artifact);
    await this.status(event.task.status);
  }

  private async artifact(artifact: Artifact, more: { append?: boolean; lastChunk?: boolean } = {}): Promise<void> {
    const { parts, artifactId, name, description, metadata } = artifact;
    await this.emitter.addArtifact(parts, { artifactId, name, description, metadata, ...more });
  }

  private async status({ state, message }: TaskStatus): Promise<void> {
    const { emitter } = this;
    const parts = message?.parts;
    switch (state) {
      case TaskState.SUBMITTED:
        return;
      case TaskState.WORKING:
        return emitter.working(parts);
      case TaskState.INPUT_REQUIRED:
        return this.ask(parts ?? [{ text: 'The analyst asks for more.' }]);
      case TaskState.COMPLETED:
        return emitter.complete(parts);
      case TaskState.REJECTED:
        return emitter.reject(parts);
      default:
        return emitter.fail(parts ?? `The analyst's task is ${state}.`);
    }
  }

  /** The answer goes to the same remote task. */
  private ask(parts: readonly Part[]): Promise<void> {
    const { taskId, contextId } = this.view;
    const metadata = taskId === undefined || contextId === undefined ? {} : noteOf({ taskId, contextId });
    return this.emitter.requireInput({ parts, metadata });
  }
}
