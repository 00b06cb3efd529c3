/** A connection that lasts as long is no more of a burden than asking again and again, which has no limit either. */
const LASTING_MS = 10_000;
/** How many connections may be short before each pause is twice as long as before. */
const PATIENCE = 4;

export const DEFAULT_MAX_RESUMES = 1000;

/** Bounds how often a stream is taken up that never lasts, though each time there is something new. */
export class ResumeBudget {
  private openedAt = 0;
  private shortOnes = 0;
  private shortInARow = 0;

  /** @param maxResumes connections that did not last, in all */
  constructor(private readonly maxResumes: number) {}

  opened(): void {
    this.openedAt = performance.now();
  }

  closed(): void {
    if (performance.now() - this.openedAt >= LASTING_MS) {
      this.shortInARow = 0;
      return;
    }
    this.shortOnes += 1;
    this.shortInARow += 1;
  }

  get isSpent(): boolean {
    return this.shortOnes > this.maxResumes;
  }

  /** As how many failures in a row the last connections are to be taken. */
  get level(): number {
    return Math.ceil(this.shortInARow / PATIENCE);
  }
}
