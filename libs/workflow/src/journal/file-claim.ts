import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { hasCode } from './file-failure.js';
import { WorkflowStateError } from '../errors/workflow.error.js';
import { alreadyRunning } from './in-memory-execution-journal.js';

const TOUCH_MS = 5_000;
const STALE_MS = 30_000;
/** More than two clocks that are read one after the other can be apart, and less than a process takes to start. */
const SAME_START_MS = 20;

/**
 * A file that says who writes a journal. It is renewed as long as its owner lives. Of a process that is known to be dead
 * it is taken over at once, of any other when it was not renewed for 30 seconds.
 */
export class FileClaim {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly path: string,
    private readonly owner: string,
  ) {
    // What fails here, there is nobody to tell.
    this.timer = setInterval(() => void this.renew().catch(() => undefined), TOUCH_MS);
    this.timer.unref();
  }

  /** @throws WorkflowStateError when a living process has it */
  static async take(path: string, executionId: string): Promise<FileClaim> {
    const owner = `${process.pid} ${hostname()} ${startedAt()} ${randomUUID()}`;
    if ((await made(path, owner)) || (await takenOver(path, owner))) return new FileClaim(path, owner);
    throw alreadyRunning(executionId);
  }

  /**
   * A process that stood still for long may have lost its claim without knowing.
   *
   * @throws WorkflowStateError when somebody else has it by now
   */
  async check(executionId: string): Promise<void> {
    if (await this.isOwn()) return;
    throw new WorkflowStateError(`Execution was taken over by another process: ${executionId}`);
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    // It may have been taken over by somebody who took this process for dead.
    if (await this.isOwn()) await rm(this.path, { force: true });
  }

  private async renew(): Promise<void> {
    const now = new Date();
    if (await this.isOwn()) await utimes(this.path, now, now);
    else clearInterval(this.timer);
  }

  private async isOwn(): Promise<boolean> {
    return (await ownerOf(this.path)) === this.owner;
  }
}

/** @returns false when it is there already */
async function made(path: string, owner: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(owner).finally(() => file.close());
    } catch (error) {
      // A claim that says nothing, on a full disk for example, would keep others waiting.
      await rm(path, { force: true });
      throw error;
    }
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * Takes the claim of somebody who is gone. One at a time: of two that have seen an old claim, the later one would else
 * remove the new claim of the other.
 */
async function takenOver(path: string, owner: string): Promise<boolean> {
  const guard = `${path}.take`;
  if (!(await isAbandoned(path))) return false;
  if (!(await made(guard, owner))) {
    if (await isAbandoned(guard)) await rm(guard, { force: true });
    return false;
  }
  try {
    if (!(await isAbandoned(path))) return false;
    await rm(path, { force: true });
    return await made(path, owner);
  } finally {
    await rm(guard, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const [owner, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    if (Date.now() - mtimeMs > STALE_MS) return true;
    const [pid = '', host = '', started = ''] = owner.split(' ');
    return host === hostname() && pid !== '' && isGone(Number(pid), Number(started));
  } catch (error) {
    // Given back in the meantime.
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

async function ownerOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** In a container that was started anew, the process before had the same number as this one. */
function isGone(pid: number, started: number): boolean {
  if (pid === process.pid) return Math.abs(started - startedAt()) > SAME_START_MS;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return !hasCode(error, 'EPERM');
  }
}

/** In milliseconds of a clock that nobody sets; the same for all threads of the process. */
function startedAt(): number {
  return Math.round(Number(process.hrtime.bigint()) / 1e6 - process.uptime() * 1000);
}
