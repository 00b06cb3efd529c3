import { ResourceExhaustedError } from 'nestjs-a2a/protocol';
import { taskKeyString, type TaskKey } from '../tasks/task-record.js';

/** Counts the streams that follow each task. */
export class TaskReaders {
  private readonly counts = new Map<string, number>();
  private total = 0;

  get size(): number {
    return this.total;
  }

  /** @throws ResourceExhaustedError when `limit` streams follow the task already */
  checkRoom(key: TaskKey, limit: number): void {
    if ((this.counts.get(taskKeyString(key)) ?? 0) >= limit) {
      throw new ResourceExhaustedError(`${limit} streams follow this task already`, 1);
    }
  }

  /** One stream more. @returns takes it away again; calling it twice does no harm */
  enter(key: TaskKey): () => void {
    const name = taskKeyString(key);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.total++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.total--;
      const count = (this.counts.get(name) ?? 1) - 1;
      if (count === 0) this.counts.delete(name);
      else this.counts.set(name, count);
    };
  }
}
