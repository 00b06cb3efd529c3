/** What really happened to streams: proves that schedules do what they say. */
export class ChopRecord {
  streams = 0;
  oneByteWrites = 0;
  /** Writes that end inside of a character. */
  splitCharacters = 0;
  byteOrderMarks = 0;
  /** Bytes that came later than they could have. */
  releases = 0;
  cuts = 0;
  closes = 0;
  refusals = 0;
  /** Streams that the reader gave up because nothing came. */
  silences = 0;
  /** Streams that the reader did not give up though nothing but heartbeats came for longer than it waits. */
  heartbeats = 0;
  /** Streams that went on after the last id. */
  idsShown = 0;
  readonly lineEnds = new Set<string>();

  wrote(bytes: Buffer, next: number | undefined): void {
    if (bytes.length === 1) this.oneByteWrites += 1;
    if (next !== undefined && (next & 0xc0) === 0x80) this.splitCharacters += 1;
  }

  /** What has not happened. */
  get missing(): string[] {
    const counts = Object.entries(this).filter(([, count]) => count === 0);
    const ends = ['\n', '\r', '\r\n', 'mixed'].filter((end) => !this.lineEnds.has(end));
    return [...counts.map(([name]) => name), ...ends.map((end) => `line end ${JSON.stringify(end)}`)];
  }
}
