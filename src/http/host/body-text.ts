const SMALL_BYTES = 16 * 1024;
const BLOCK_BYTES = 64 * 1024;

/**
 * The text of a body whose pieces come in one by one. Each becomes text at once and is let go of: kept, it would hold on
 * to the whole buffer that it was read into, and all of them would be in memory a second time when they are put
 * together. Small ones are copied together first, since each text has its price as well.
 */
export class BodyText {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private count = 0;
  private first: Buffer | undefined;
  private block: Buffer | undefined;
  private filled = 0;
  private text = '';

  /** @throws TypeError when the body cannot be UTF-8 any more */
  add(piece: Buffer): void {
    this.count++;
    // Most bodies are one piece, which is best made text as a whole.
    if (this.count === 1) {
      this.first = piece;
      return;
    }
    if (this.first !== undefined) this.take(this.first);
    this.first = undefined;
    this.take(piece);
  }

  /**
   * All of it, without a byte order mark; undefined when nothing came.
   *
   * @throws TypeError when the body is not UTF-8
   */
  whole(): string | undefined {
    if (this.count === 0) return undefined;
    if (this.first !== undefined) return this.decoder.decode(this.first);
    this.flush();
    return this.text + this.decoder.decode();
  }

  private take(piece: Buffer): void {
    if (piece.length >= SMALL_BYTES) {
      this.flush();
      this.decode(piece);
      return;
    }
    if (this.filled + piece.length > BLOCK_BYTES) this.flush();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.filled += piece.copy(this.block, this.filled);
  }

  private flush(): void {
    if (this.block === undefined || this.filled === 0) return;
    const used = this.block.subarray(0, this.filled);
    this.filled = 0;
    this.decode(used);
  }

  private decode(piece: Buffer): void {
    this.text += this.decoder.decode(piece, { stream: true });
  }
}
