import {
  isTextPart,
  type Artifact,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from 'nestjs-a2a/protocol';
import { partsBeyond } from './artifact-parts.js';

/**
 * A task as its events make it: what {@link StreamResponse} tells bit by bit, put together. It is live: look at it
 * between two events, or when the stream is over.
 *
 * @publicApi
 */
export class TaskView {
  private id = '';
  private context: string | undefined;
  private status: TaskStatus | undefined;
  private metadata: Task['metadata'];
  private readonly artifacts = new Map<string, Artifact>();
  private readonly history = new Map<string, Message>();
  private answer: Message | undefined;
  private made: Task | undefined;

  /** The task so far; undefined before its first event, and when the agent answers with a message. */
  get task(): Task | undefined {
    if (this.status === undefined) return undefined;
    // Made anew after each event that was looked at, so what was handed out never changes.
    this.made ??= {
      id: this.id,
      ...(this.context !== undefined && { contextId: this.context }),
      status: this.status,
      ...(this.artifacts.size > 0 && { artifacts: [...this.artifacts.values()].map(copyOf) }),
      ...(this.history.size > 0 && { history: [...this.history.values()] }),
      ...(this.metadata && { metadata: this.metadata }),
    };
    return this.made;
  }

  /** The agent's direct answer, if it gave one. */
  get message(): Message | undefined {
    return this.answer;
  }

  /** The task's id, as soon as it is known. */
  get taskId(): string | undefined {
    return this.id === '' ? undefined : this.id;
  }

  /** The conversation, as soon as it is known. */
  get contextId(): string | undefined {
    return this.answer?.contextId ?? this.context;
  }

  /** Where the task stands. */
  get state(): TaskState | undefined {
    return this.status?.state;
  }

  /** All text of the artifacts, or of the direct answer. */
  get text(): string {
    const parts = this.answer?.parts ?? [...this.artifacts.values()].flatMap(({ parts: own }) => own);
    return parts.map((part) => (isTextPart(part) ? part.text : '')).join('');
  }

  /** Takes in one event. */
  apply(event: StreamResponse): void {
    this.made = undefined;
    if ('message' in event) this.answer = event.message;
    else if ('task' in event) this.takeTask(event.task);
    else if ('statusUpdate' in event) this.takeStatus(event.statusUpdate);
    else this.takeArtifact(event.artifactUpdate);
  }

  /**
   * What a snapshot tells that is not known yet, as the events that would have told it: text that was missed is appended,
   * what was replaced comes whole, the status comes last.
   */
  missing(snapshot: Task): StreamResponse[] {
    const taskId = snapshot.id;
    const contextId = snapshot.contextId ?? this.context ?? '';
    const events: StreamResponse[] = [];
    for (const artifact of snapshot.artifacts ?? []) {
      const known = this.artifacts.get(artifact.artifactId);
      const more = known && partsBeyond(known.parts, artifact.parts);
      if (more?.length === 0) continue;
      events.push({
        artifactUpdate: more
          ? { taskId, contextId, artifact: { ...artifact, parts: more }, append: true }
          : { taskId, contextId, artifact },
      });
    }
    if (this.isNewStatus(snapshot.status)) {
      events.push({ statusUpdate: { taskId, contextId, status: snapshot.status } });
    }
    return events;
  }

  /** Does an event tell more than that all is as it was? */
  isNews(event: StreamResponse): boolean {
    return !('statusUpdate' in event) || this.isNewStatus(event.statusUpdate.status);
  }

  private isNewStatus(status: TaskStatus): boolean {
    const known = this.status;
    if (known === undefined) return true;
    // A snapshot that comes out of a store may be older than the events.
    if (known.timestamp !== undefined && status.timestamp !== undefined && status.timestamp < known.timestamp) {
      return false;
    }
    return status.state !== known.state || status.message?.messageId !== known.message?.messageId;
  }

  private takeTask(task: Task): void {
    this.id = task.id;
    this.context = task.contextId ?? this.context;
    this.status = task.status;
    this.metadata = task.metadata ?? this.metadata;
    for (const message of task.history ?? []) this.history.set(message.messageId, message);
    for (const artifact of task.artifacts ?? []) this.artifacts.set(artifact.artifactId, copyOf(artifact));
  }

  private takeStatus({ taskId, contextId, status }: TaskStatusUpdateEvent): void {
    this.id = taskId;
    this.context = contextId;
    const earlier = this.status?.message;
    if (earlier !== undefined && earlier.messageId !== status.message?.messageId) {
      this.history.set(earlier.messageId, earlier);
    }
    this.status = status;
  }

  private takeArtifact({ taskId, contextId, artifact, append = false }: TaskArtifactUpdateEvent): void {
    this.id = taskId;
    this.context = contextId;
    const known = append ? this.artifacts.get(artifact.artifactId) : undefined;
    if (known === undefined) {
      this.artifacts.set(artifact.artifactId, copyOf(artifact));
      return;
    }
    // In place: a copy for each chunk would make long streams quadratic.
    for (const part of artifact.parts) known.parts.push(part);
    const { parts: _parts, ...head } = artifact;
    Object.assign(known, head);
  }
}

function copyOf(artifact: Artifact): Artifact {
  return { ...artifact, parts: [...artifact.parts] };
}
