import type { Part, Struct, TaskState } from 'nestjs-a2a/protocol';

/** Text, one part, or several parts: how an agent's author says something. */
export type AgentContent = string | Part | readonly Part[];

/** A status message of an agent: content alone, or content with what A2A lets a message carry. */
export type AgentMessage = AgentContent | AgentMessageBody;

/** A message with metadata or extension URIs. */
export interface AgentMessageBody {
  readonly parts: AgentContent;
  /** Extension data, keyed by extension URI. */
  readonly metadata?: Struct;
  /** URIs of the extensions that contributed. */
  readonly extensions?: readonly string[];
}

/** What an artifact may carry besides its parts. */
export interface ArtifactOptions {
  /** Unique in the task. Absent: a new artifact with an id of ours. */
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: Struct;
  readonly extensions?: readonly string[];
  /** Add the parts to the artifact of this id, which must exist. Default false: create or replace it. */
  readonly append?: boolean;
  /** Tells readers that no chunk of this artifact follows. Default false. */
  readonly lastChunk?: boolean;
}

/** A status update as a value, for executors written as generators or Observables. */
export interface StatusOutput {
  readonly state: TaskState;
  readonly message?: AgentMessage;
}

/** An artifact, or a chunk of one, as a value. */
export interface ArtifactOutput {
  readonly artifact: { readonly parts: AgentContent } & Omit<ArtifactOptions, 'append' | 'lastChunk'>;
  readonly append?: boolean;
  readonly lastChunk?: boolean;
}

/** A direct answer as a value: only as the first one. */
export interface MessageOutput {
  readonly message: AgentMessage;
}

/** What a generator may yield: a string is a chunk of the run's text artifact, a part is an artifact of its own. */
export type AgentOutput = string | Part | StatusOutput | ArtifactOutput | MessageOutput;
