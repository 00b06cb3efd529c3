import type { RaggedRows, TableProfile } from '../analysis/table-profile.js';
import type { Delimiter } from './delimiter.js';

/** How far reading has come. */
export interface ReadingProgress {
  /** 0 to 1. */
  readonly share: number;
  readonly rows: number;
}

/** How a table is read. */
export interface ReadingOptions {
  /** Stops the reading; looked at after each chunk. */
  readonly signal?: AbortSignal;
  /** Called after each chunk and waited for. */
  readonly onProgress?: (progress: ReadingProgress) => void | Promise<void>;
}

/** A table that has been read to its end. */
export interface ReadTable {
  readonly profile: TableProfile;
  readonly format: 'delimited' | 'objects';
  /** Delimited tables only. */
  readonly delimiter?: Delimiter;
  readonly ragged: RaggedRows;
  /** What the reader of the report should know about how the table was taken. */
  readonly notes: readonly string[];
}
