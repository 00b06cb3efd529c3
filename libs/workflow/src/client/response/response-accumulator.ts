import type {
  Artifact,
  Message,
  StreamResponse,
  Struct,
  Task,
  TaskArtifactUpdateEvent,
  TaskState,
  TaskStatus,
} from 'nestjs-a2a/protocol';
import { isBlank } from '../../model/blank.js';
import { MessageContent } from '../../model/message-content.js';
import { ReceivedMessage } from '../../model/received-message.js';
import { deepFreeze } from './deep-freeze.js';
import { textOfParts } from './message-texts.js';

const MAX_TEXTS = 64;

/** Limits of a {@link ResponseAccumulator}. */
export interface AccumulatorOptions {
  /** Of several messages only the latest is kept. For streams without an end. */
  readonly latestMessageOnly?: boolean;
  /** The oldest artifacts are let go of when there are more. Default: no limit. */
  readonly maxArtifacts?: number;
  /** The same for the parts of an artifact that is appended to. */
  readonly maxParts?: number;
}

/** Puts together what an agent tells bit by bit: in one send, one question about a task, or one subscription. */
export class ResponseAccumulator {
  private readonly messages = new Map<string, Message>();
  private readonly artifacts = new Map<string, Artifact>();
  private readonly texts = new Set<string>();
  private id: string | undefined;
  private context: string | undefined;
  private status: TaskStatus | undefined;
  private metadata: Struct = {};
  private history: Message[] | undefined;

  constructor(private readonly options: AccumulatorOptions = {}) {}

  /** The task's id, as soon as an event shows it. */
  get taskId(): string | undefined {
    return this.id;
  }

  /** Last state seen. */
  get state(): TaskState | undefined {
    return this.status?.state;
  }

  /** Did anything come? */
  get isEmpty(): boolean {
    return this.id === undefined && this.messages.size === 0;
  }

  get hasMessage(): boolean {
    return this.messages.size > 0;
  }

  apply(event: StreamResponse): void {
    if ('message' in event) this.takeMessage(event.message);
    else if ('task' in event) this.takeTask(event.task);
    else if ('statusUpdate' in event) {
      const { taskId, contextId, status, metadata } = event.statusUpdate;
      this.id = taskId;
      this.context = contextId;
      this.takeStatus(status);
      this.metadata = { ...this.metadata, ...metadata };
    } else this.takeArtifact(event.artifactUpdate);
  }

  /** Each message of its own, in order, then the task. */
  received(): ReceivedMessage[] {
    const messages = [...this.messages.values()].map((message) => new ReceivedMessage(contentOf(message)));
    return this.id === undefined ? messages : [...messages, this.taskView()];
  }

  /** The task as it is now. */
  taskView(): ReceivedMessage {
    const message = this.status?.message;
    return new ReceivedMessage(
      message === undefined ? null : contentOf(message),
      this.metadata,
      this.artifacts.values(),
    );
  }

  /** What one event tells to who follows a stream of them: its own message, or the task as it is now. */
  receivedWith(event: StreamResponse): ReceivedMessage {
    return 'message' in event ? new ReceivedMessage(contentOf(event.message)) : this.taskView();
  }

  /** The task as it was last seen; `null` when its state is not known. */
  task(view: ReceivedMessage | undefined): Task | null {
    if (this.id === undefined || this.status === undefined) return null;
    return deepFreeze({
      id: this.id,
      ...(this.context !== undefined && { contextId: this.context }),
      status: structuredClone(this.status),
      ...(view !== undefined && view.artifacts.length > 0 && { artifacts: [...view.artifacts] }),
      ...(this.history !== undefined && { history: structuredClone(this.history) }),
      ...(Object.keys(this.metadata).length > 0 && { metadata: structuredClone(this.metadata) }),
    });
  }

  /** For logs and people: the texts of the artifacts, else those of messages and states. */
  text(): string {
    const artifacts = [...this.artifacts.values()].map(({ parts }) => textOfParts(parts) ?? '');
    return (artifacts.some((text) => text !== '') ? artifacts.filter((text) => text !== '') : [...this.texts]).join(
      '\n',
    );
  }

  private takeMessage(message: Message): void {
    if (this.options.latestMessageOnly === true) this.messages.clear();
    this.messages.set(message.messageId, message);
    this.keepText(message);
  }

  private takeTask({ id, contextId, status, metadata, artifacts, history }: Task): void {
    this.id = id;
    this.context = contextId;
    this.metadata = metadata ?? {};
    this.history = history;
    this.takeStatus(status);
    if (artifacts === undefined || artifacts.length === 0) return;
    this.artifacts.clear();
    for (const artifact of artifacts) this.keepArtifact(artifact);
  }

  private takeStatus(status: TaskStatus): void {
    this.status = status;
    if (status.message !== undefined) this.keepText(status.message);
  }

  private takeArtifact({ taskId, contextId, artifact, append = false }: TaskArtifactUpdateEvent): void {
    this.id = taskId;
    this.context = contextId;
    const known = append ? this.artifacts.get(artifact.artifactId) : undefined;
    if (known === undefined) {
      this.keepArtifact(artifact);
      return;
    }
    // In place: a copy for each chunk would make long streams quadratic.
    for (const part of artifact.parts) known.parts.push(part);
    const { maxParts = Infinity } = this.options;
    if (known.parts.length > maxParts) known.parts.splice(0, known.parts.length - maxParts);
    const { parts: _parts, metadata, ...head } = artifact;
    Object.assign(known, head);
    if (metadata !== undefined) known.metadata = { ...known.metadata, ...metadata };
  }

  private keepArtifact(artifact: Artifact): void {
    this.artifacts.set(artifact.artifactId, { ...artifact, parts: [...artifact.parts] });
    const { maxArtifacts = Infinity } = this.options;
    if (this.artifacts.size <= maxArtifacts) return;
    const [oldest] = this.artifacts.keys();
    if (oldest !== undefined) this.artifacts.delete(oldest);
  }

  private keepText({ parts }: Message): void {
    const text = textOfParts(parts) ?? '';
    if (text === '') return;
    this.texts.add(text);
    if (this.texts.size <= MAX_TEXTS) return;
    const [oldest] = this.texts;
    if (oldest !== undefined) this.texts.delete(oldest);
  }
}

function contentOf({ parts, metadata, extensions = [] }: Message): MessageContent {
  return new MessageContent(
    parts,
    metadata,
    extensions.filter((uri) => !isBlank(uri)),
  );
}
