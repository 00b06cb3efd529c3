import { readDelimited } from './read-delimited.js';
import { readObjects } from './read-objects.js';
import type { ReadingOptions, ReadTable } from './table-reader.js';
import type { TableSource } from './table-source.js';

/** Reads a table of any form in one pass. */
export function readTable(source: TableSource, options: ReadingOptions = {}): Promise<ReadTable> {
  return source.kind === 'delimited' ? readDelimited(source, options) : readObjects(source, options);
}
