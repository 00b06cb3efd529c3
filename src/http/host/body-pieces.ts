const SMALL_BYTES = 16 * 1024;
const BLOCK_BYTES = 64 * 1024;

/**
 * The pieces of a body as they come in. Small ones are copied together: each piece holds on to the whole buffer it was
 * read into, so a body in pieces of one byte would otherwise hold a thousand times its size.
 */
export class BodyPieces {
  private first: Buffer | undefined;
  private readonly pieces: Buffer[] = [];
  private block: Buffer | undefined;
  private filled = 0;
  private bytes = 0;

  add(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.first === undefined) {
      this.first = piece;
      return;
    }
    if (piece.length >= SMALL_BYTES) {
      this.flush();
      this.pieces.push(piece);
      return;
    }
    if (this.filled + piece.length > BLOCK_BYTES) this.flush();
    this.block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.filled += piece.copy(this.block, this.filled);
  }

  /** All of it in one buffer; undefined when nothing came. Most bodies are one piece, which is not copied. */
  whole(): Buffer | undefined {
    if (this.first === undefined || this.bytes === this.first.length) return this.first;
    this.flush();
    const whole = Buffer.concat([this.first, ...this.pieces], this.bytes);
    // A large body is in memory twice here; not for longer than need be.
    this.pieces.length = 0;
    this.first = whole;
    return whole;
  }

  private flush(): void {
    if (this.block === undefined || this.filled === 0) return;
    // A block that is hardly filled is not worth holding on to.
    const used = this.block.subarray(0, this.filled);
    this.pieces.push(this.filled > BLOCK_BYTES / 2 ? used : Buffer.from(used));
    if (this.filled > BLOCK_BYTES / 2) this.block = undefined;
    this.filled = 0;
  }
}
