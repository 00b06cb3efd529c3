import { constants, type Stats } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isFields } from '../card/card-fields.js';

const HEAD_BYTES = 32 * 1024;
const FILE_NAME = 'SKILL.md';
// Whatever came to be there since it was looked at: a link is not followed, and a pipe is not waited for. Windows has
// neither flag.
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A `SKILL.md` that was looked at. */
export interface SkillFile {
  /** Changes when the file does. */
  readonly stamp: string;
  /** What stands at its beginning. */
  readonly head: string;
}

/** What one look at a folder gave. */
export type SkillFileResult =
  | { readonly kind: 'file'; readonly file: SkillFile }
  | { readonly kind: 'same' }
  | { readonly kind: 'none' }
  | { readonly kind: 'fault'; readonly fault: string };

/**
 * Looks at the `SKILL.md` of a folder.
 *
 * @param root the real path that it must not lead out of
 * @param known the stamp of the file when it was read last
 */
export async function readSkillFile(
  root: string,
  folder: string,
  maxBytes: number,
  known: string | undefined,
): Promise<SkillFileResult> {
  try {
    const path = await realpath(join(root, folder, FILE_NAME));
    if (!isWithin(root, path)) return fault('leads out of the folder of skills by a symbolic link');
    const seen = await stat(path);
    if (stampOf(seen) === known) return { kind: 'same' };
    return faultOf(seen, maxBytes) ?? (await readAt(path, maxBytes));
  } catch (error) {
    // Also when it went away meanwhile.
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return { kind: 'none' };
    return fault(`cannot be read (${codeOf(error)})`);
  }
}

async function readAt(path: string, maxBytes: number): Promise<SkillFileResult> {
  const handle = await open(path, READ);
  try {
    const stats = await handle.stat();
    return faultOf(stats, maxBytes) ?? { kind: 'file', file: { stamp: stampOf(stats), head: await headOf(handle) } };
  } finally {
    await handle.close();
  }
}

function faultOf(stats: Stats, maxBytes: number): SkillFileResult | undefined {
  if (!stats.isFile()) return fault('is not a file');
  return stats.size > maxBytes ? fault(`has ${stats.size} bytes; ${maxBytes} are allowed`) : undefined;
}

async function headOf(handle: FileHandle): Promise<string> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

function isWithin(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function fault(text: string): SkillFileResult {
  return { kind: 'fault', fault: text };
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(':');
}

/** Not by `instanceof`: under Jest, Node's own errors are of another realm than the code's. */
export function codeOf(error: unknown): string {
  return isFields(error) && typeof error['code'] === 'string' ? error['code'] : 'for an unknown reason';
}
