import { isUtf8 } from 'node:buffer';
import { TableError } from './table.error.js';

const NUL = 0;
const ZIP_SIGNATURE = Buffer.from('PK\u0003\u0004', 'latin1');

/**
 * Refuses bytes that are not UTF-8 text, instead of letting U+FFFD get into somebody's figures. Characters may be cut
 * by the ends of chunks.
 */
export class Utf8Guard {
  private offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  /** @throws TableError when the bytes so far cannot be UTF-8 text */
  check(chunk: Buffer): void {
    if (this.offset === 0 && chunk.subarray(0, ZIP_SIGNATURE.length).equals(ZIP_SIGNATURE)) {
      throw new TableError(
        'The file is a ZIP archive or a workbook, not a table in text form. Save it as CSV (UTF-8).',
      );
    }
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const whole = bytes.length - cutCharacterLength(bytes);
    const text = bytes.subarray(0, whole);
    if (!isUtf8(text)) throw notUtf8(this.offset);
    if (text.includes(NUL)) {
      throw new TableError('The file contains NUL bytes, so it is not a table in text form. Save it as CSV (UTF-8).');
    }
    this.rest = bytes.subarray(whole);
    this.offset += whole;
  }

  /** @throws TableError when the text ends inside a character */
  end(): void {
    if (this.rest.length > 0) throw notUtf8(this.offset);
  }
}

function notUtf8(offset: number): TableError {
  return new TableError(
    `The table is not valid UTF-8 (somewhere after byte ${offset}). Save it as CSV in UTF-8, not in UTF-16 or a Windows code page.`,
  );
}

/** How many bytes at the end begin a character that is not complete. */
function cutCharacterLength(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length];
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > length ? length : 0;
  }
  return 0;
}
