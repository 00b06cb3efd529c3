import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a reader of the crowd remembers of its stream. */
export interface ReaderReport {
  readonly frames: number;
  /** The number of the last event. */
  readonly last: number;
  /** The first gap or repetition, in words. */
  readonly disorder: string;
  readonly lastFrame: string;
  readonly clean: boolean;
  readonly error: string;
}

const PROGRAM = fileURLToPath(new URL('reader-crowd.process.mjs', import.meta.url));

/** Many readers of one task, in another process. */
export class ReaderCrowd {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when all streams are open. */
  static async open(url: string, taskId: string, readers: number, stalled: number): Promise<ReaderCrowd> {
    const args = [new URL(url).port, taskId, String(readers), String(stalled)];
    const crowd = new ReaderCrowd(fork(PROGRAM, args, { execArgv: [] }));
    await crowd.message('open');
    return crowd;
  }

  /** Lets those read who have not. */
  wake(): void {
    this.child.send('read');
  }

  /** Resolves when all streams are over. */
  async reports(): Promise<ReaderReport[]> {
    const reports = await this.message('readers');
    if (!isReports(reports)) throw new TypeError(`No reports: ${JSON.stringify(reports)}`);
    return reports;
  }

  stop(): void {
    this.child.kill();
  }

  private message(name: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const take = (message: unknown): void => {
        if (typeof message !== 'object' || message === null || !(name in message)) return;
        this.child.off('message', take);
        resolve(Reflect.get(message, name));
      };
      this.child.on('message', take);
      this.child.once('exit', (code) => reject(new Error(`The readers ended with ${code} before '${name}'`)));
    });
  }
}

function isReports(value: unknown): value is ReaderReport[] {
  return (
    Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null && 'frames' in entry)
  );
}
