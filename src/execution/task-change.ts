import type { Artifact } from 'nestjs-a2a/protocol';
import type { StatusChange } from '../tasks/task-snapshot.js';

/** A change of state before its time is known. */
export type StatusInput = Omit<StatusChange, 'at'>;

/** An artifact, or a chunk of one, from a run. */
export interface ArtifactInput {
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly bytes: number;
}
