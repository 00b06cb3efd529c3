import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AgentExecutor, type AgentEmitter, type RequestContext } from 'nestjs-a2a';
import { TaskState } from 'nestjs-a2a/protocol';
import type { ColumnStatistics } from './analysis/column-statistics.js';
import { shownText } from './analysis/shown-text.js';
import { columnGroups } from './report/column-groups.js';
import { toJsonValue } from './report/json-value.js';
import { markdownReport } from './report/markdown-report.js';
import { ReadingReport } from './report/reading-report.js';
import { tableStatistics } from './report/table-statistics.js';
import { findTable } from './source/find-table.js';
import { readTable } from './source/read-table.js';
import type { ReadTable } from './source/table-reader.js';
import type { TableSource } from './source/table-source.js';
import { EmptyTableError, TableError } from './source/table.error.js';
import { QUESTIONS, STOPPED } from './table-analyst.messages.js';

/** Takes a table, tells how it gets on, and answers with statistics (JSON) and a report (Markdown). */
@Injectable()
export class TableAnalyst extends AgentExecutor {
  override async execute(context: RequestContext, emitter: AgentEmitter): Promise<void> {
    try {
      const search = findTable(context.message, context.task?.history);
      if ('missing' in search) return await emitter.requireInput(QUESTIONS[search.missing]);
      await this.analyse(search.table, context.signal, emitter);
    } catch (error) {
      if (context.signal.aborted || !(error instanceof TableError)) throw error;
      if (error instanceof EmptyTableError) await emitter.requireInput(`${error.message} ${QUESTIONS.none}`);
      else await emitter.fail(error.message);
    }
  }

  /** The run notices the aborted signal at its next chunk; the caller need not wait for that. */
  override async cancel(_context: RequestContext, emitter: AgentEmitter): Promise<void> {
    await emitter.updateStatus(TaskState.CANCELED, STOPPED);
  }

  private async analyse(source: TableSource, signal: AbortSignal, emitter: AgentEmitter): Promise<void> {
    const name = source.filename ? `“${shownText(source.filename)}”` : 'the table';
    await emitter.working(`Reading ${name}`);
    const report = new ReadingReport((line) => emitter.working(line));
    const read = await readTable(source, { signal, onProgress: (progress) => report.update(progress) });
    const columns = await this.finishColumns(read, signal, emitter);
    const statistics = tableStatistics(read, columns, source.filename);
    await emitter.addArtifact([{ data: toJsonValue(statistics), mediaType: 'application/json' }], {
      artifactId: 'statistics',
      name: 'statistics.json',
      description: 'Statistics of each column',
      lastChunk: true,
    });
    await emitter.addArtifact([{ text: markdownReport(statistics), mediaType: 'text/markdown' }], {
      artifactId: 'report',
      name: 'report.md',
      description: 'The same figures for people',
      lastChunk: true,
    });
    await emitter.complete(`Analysed ${name}: ${read.profile.rows} rows, ${columns.length} columns`);
  }

  private async finishColumns(
    read: ReadTable,
    signal: AbortSignal,
    emitter: AgentEmitter,
  ): Promise<ColumnStatistics[]> {
    const profiles = read.profile.columns;
    const finished: ColumnStatistics[] = [];
    for (const { first, last } of columnGroups(profiles.length)) {
      for (const profile of profiles.slice(first - 1, last)) {
        finished.push(profile.statistics());
        // Sorting a column takes its time, and others want theirs.
        await nextTurn();
        signal.throwIfAborted();
      }
      const columns = first === last ? `column ${first}` : `columns ${first} to ${last}`;
      const names = first === last ? `: ${profiles[first - 1].name}` : '';
      await emitter.working(`${columns} of ${profiles.length}${names}`);
    }
    return finished;
  }
}
