import type { ReadingProgress } from '../source/table-reader.js';

/** Every status update is kept in the task's history, so there are only so many. */
const STEPS = 20;

/** Says now and then how far the reading has come: at most twenty times a table, and not once for a small one. */
export class ReadingReport {
  private told = 0;

  constructor(private readonly tell: (line: string) => Promise<void>) {}

  async update({ share, rows }: ReadingProgress): Promise<void> {
    const step = Math.floor(share * STEPS);
    if (step <= this.told || share >= 1) return;
    this.told = step;
    await this.tell(`Reading: ${Math.round((step / STEPS) * 100)} %, ${rows} rows so far`);
  }
}
