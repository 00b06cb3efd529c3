import type { JsonValue } from 'nestjs-a2a/protocol';

/** A table as delimited text that comes in pieces. */
export interface DelimitedSource {
  readonly kind: 'delimited';
  /** The file's name, when the sender gave one. */
  readonly filename: string | undefined;
  /** Absent: to be found out from the text. */
  readonly delimiter: '\t' | undefined;
  readonly bytes: number;
  /** UTF-8, not checked yet. Each call starts from the beginning. */
  chunks(): Iterable<Buffer>;
}

/** A table as JSON objects, one a row. */
export interface ObjectsSource {
  readonly kind: 'objects';
  readonly filename: string | undefined;
  readonly rows: readonly JsonValue[];
}

/** Where a table's cells come from. */
export type TableSource = DelimitedSource | ObjectsSource;
