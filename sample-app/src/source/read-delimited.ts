import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse, type Parser } from 'csv-parse';
import { MAX_ROW_BYTES } from '../analysis/analysis-limits.js';
import { DelimitedRows } from './delimited-rows.js';
import { guessDelimiter, type Delimiter } from './delimiter.js';
import type { ReadingOptions, ReadTable } from './table-reader.js';
import type { DelimitedSource } from './table-source.js';
import { EmptyTableError, TableError } from './table.error.js';
import { Utf8Guard } from './utf8-guard.js';

/**
 * Reads a delimited table in one pass, a chunk at a time; between chunks the event loop is free for others.
 *
 * @throws EmptyTableError when there is no row
 * @throws TableError when it cannot be read
 */
export async function readDelimited(source: DelimitedSource, options: ReadingOptions = {}): Promise<ReadTable> {
  const guard = new Utf8Guard();
  let reader: DelimitedReader | undefined;
  let bytes = 0;
  try {
    for (const chunk of source.chunks()) {
      options.signal?.throwIfAborted();
      guard.check(chunk);
      reader ??= new DelimitedReader(source.delimiter ?? guessDelimiter(chunk.toString('utf8')));
      await reader.write(chunk);
      bytes += chunk.length;
      await options.onProgress?.({ share: Math.min(1, bytes / source.bytes), rows: reader.rows.rows });
      await nextTurn();
    }
    guard.end();
    await reader?.end();
  } finally {
    reader?.destroy();
  }
  options.signal?.throwIfAborted();
  const profile = reader?.rows.profile;
  if (!reader || !profile) throw new EmptyTableError('The table is empty.');
  if (profile.rows === 0) throw new EmptyTableError('The table has a header but no rows.');
  return {
    profile,
    format: 'delimited',
    delimiter: reader.delimiter,
    ragged: profile.ragged,
    notes: reader.rows.notes,
  };
}

/** csv-parse behind two calls that are waited for. */
class DelimitedReader {
  readonly rows: DelimitedRows;
  private readonly parser: Parser;
  private bytesSinceRow = 0;

  constructor(readonly delimiter: Delimiter) {
    this.rows = new DelimitedRows(delimiter);
    this.parser = parse({
      bom: true,
      delimiter,
      max_record_size: MAX_ROW_BYTES,
      // Named, not discovered: files glued together from two systems mix them.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      on_record: (record) => this.take(record),
    });
    // Errors come back by the callbacks of write and end; unheard, the event would end the process.
    this.parser.on('error', () => undefined);
    this.parser.resume();
  }

  async write(chunk: Buffer): Promise<void> {
    this.bytesSinceRow += chunk.length;
    await new Promise<void>((resolve, reject) => {
      this.parser.write(chunk, (error) => (error ? reject(this.explain(error)) : resolve()));
    });
    // csv-parse counts the characters of a row's cells only: fifty million empty cells would be a row to it.
    if (this.bytesSinceRow > MAX_ROW_BYTES) throw this.rowTooLong();
  }

  end(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parser.once('error', (error) => reject(this.explain(error)));
      this.parser.once('finish', () => resolve());
      this.parser.end();
    });
  }

  destroy(): void {
    this.parser.destroy();
  }

  private take(record: string[]): null {
    this.bytesSinceRow = 0;
    this.rows.add(record);
    // csv-parse builds an error with a stack and a deep copy for each row of another length than the first (30 µs
    // each, even when relaxed). Rows are measured here, so each may pass for the first.
    Object.assign(this.parser.info, { records: 0 });
    // Nothing goes to the readable side: no queue, no second copy.
    return null;
  }

  private explain(error: Error): Error {
    if (!(error instanceof CsvError)) return error;
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') {
      return new TableError(`The table ends inside a quoted cell: a quote (") that was opened is never closed.`);
    }
    if (error.code === 'CSV_MAX_RECORD_SIZE') return this.rowTooLong();
    return new TableError(`The table cannot be read at line ${this.parser.info.lines}.`, { cause: error });
  }

  private rowTooLong(): TableError {
    return new TableError(
      `The row that reaches line ${this.parser.info.lines} is longer than ${MAX_ROW_BYTES} bytes. Most often a quote (") is opened before and never closed.`,
    );
  }
}
