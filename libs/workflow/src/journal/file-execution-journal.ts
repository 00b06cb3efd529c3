import { mkdir, open, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowArgumentError, WorkflowStateError } from '../errors/workflow.error.js';
import { ExecutionJournal } from './execution-journal.js';
import { FileClaim } from './file-claim.js';
import { hasCode } from './file-failure.js';
import { hasEnded } from './in-memory-execution-journal.js';
import { isJournalRecord } from './is-journal-record.js';
import type { JournalRecord } from './journal-record.js';

const SUFFIX = '.jsonl';
const NEWLINE = 10;
const EXECUTION_ID = /^[\w-]{1,128}$/;

/**
 * A journal in a folder: a file for each run, a line for each record. A record is on the disk before its promise resolves;
 * a line that a crash cut short counts as never written.
 *
 * For the processes of one machine. Keep the folder to yourself: what was sent is in it.
 *
 * @publicApi
 */
export class FileExecutionJournal extends ExecutionJournal {
  // One write after the other for each run, and only as long as there are any.
  private readonly writing = new Map<string, Promise<void>>();
  private readonly mended = new Set<string>();
  private readonly claims = new Map<string, FileClaim>();

  /** @param directory is made when it is not there */
  constructor(private readonly directory: string) {
    super();
  }

  async claim(executionId: string): Promise<() => Promise<void>> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const claim = await FileClaim.take(this.path(executionId, '.lock'), executionId);
    // Another process may have written since.
    this.mended.delete(executionId);
    this.claims.set(executionId, claim);
    return async () => {
      if (this.claims.get(executionId) === claim) this.claims.delete(executionId);
      this.mended.delete(executionId);
      await claim.release();
    };
  }

  append(executionId: string, record: JournalRecord): Promise<void> {
    return this.afterWrites(executionId, () => this.write(executionId, record));
  }

  private afterWrites(executionId: string, work: () => Promise<void>): Promise<void> {
    const before = this.writing.get(executionId) ?? Promise.resolve();
    const written = before.then(work);
    const settled = written.catch(() => undefined);
    this.writing.set(executionId, settled);
    void settled.then(() => {
      if (this.writing.get(executionId) === settled) this.writing.delete(executionId);
    });
    return written;
  }

  async read(executionId: string): Promise<readonly JournalRecord[]> {
    const lines = (await readIfThere(this.path(executionId))).split('\n');
    // Behind the last line break is nothing, or what a crash left of a line.
    lines.pop();
    return lines.map((line, at) => {
      const record = parsed(line);
      if (isJournalRecord(record)) return record;
      throw new WorkflowStateError(`Journal of ${executionId} is damaged in line ${at + 1}`);
    });
  }

  remove(executionId: string): Promise<void> {
    return this.afterWrites(executionId, async () => {
      await rm(this.path(executionId), { force: true });
      this.mended.delete(executionId);
    });
  }

  async unfinished(): Promise<readonly string[]> {
    const names = await readdir(this.directory).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
    const running: string[] = [];
    for (const id of ids) if (EXECUTION_ID.test(id) && (await this.isUnfinished(id))) running.push(id);
    return running;
  }

  private async isUnfinished(executionId: string): Promise<boolean> {
    try {
      const records = await this.read(executionId);
      // Of a run that crashed in its first line, nothing has begun.
      return records.length > 0 && !hasEnded(records);
    } catch (error) {
      // Who resumes it is told. The others must not suffer.
      if (error instanceof WorkflowStateError) return true;
      throw error;
    }
  }

  private async write(executionId: string, record: JournalRecord): Promise<void> {
    const path = this.path(executionId);
    await this.claims.get(executionId)?.check(executionId);
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    if (!this.mended.has(executionId)) await cutTornLine(path);
    this.mended.add(executionId);
    const file = await open(path, 'a', 0o600);
    try {
      const { size } = await file.stat();
      try {
        await file.appendFile(`${JSON.stringify(record)}\n`);
        await file.datasync();
      } catch (error) {
        // Some or all of the line may be there now, and must not count later on.
        this.mended.delete(executionId);
        await file.truncate(size).catch(() => undefined);
        throw error;
      }
      if (size === 0) await syncFolder(this.directory);
    } finally {
      await file.close();
    }
    if (record.kind === 'ended') this.mended.delete(executionId);
  }

  private path(executionId: string, suffix = SUFFIX): string {
    if (!EXECUTION_ID.test(executionId)) {
      throw new WorkflowArgumentError('An execution id consists of letters, digits, "-" and "_", at most 128');
    }
    return join(this.directory, `${executionId}${suffix}`);
  }
}

async function cutTornLine(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    (error: unknown) => {
      if (isMissing(error)) return 0;
      throw error;
    },
  );
  if (size === 0) return;
  const content = await readFile(path);
  const end = content.lastIndexOf(NEWLINE) + 1;
  if (end < content.length) await truncate(path, end);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Without the cause: parsers repeat what they could not read.
    return undefined;
  }
}

/** A new file is safe once its folder is; not every system can be asked for it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder
    ?.sync()
    .catch(() => undefined)
    .finally(() => folder.close());
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
