import { InvalidParamsError } from 'nestjs-a2a/protocol';
import type { TaskCursor } from '../tasks/task-store.js';

const TOKEN = /^(\d{1,16})\.(.{1,512})$/s;

/** The opaque token of the page behind a task. */
export function pageTokenOf(cursor: TaskCursor): string {
  return Buffer.from(`${cursor.statusMillis}.${cursor.id}`).toString('base64url');
}

/** @throws InvalidParamsError when the token is none of ours */
export function cursorOf(token: string): TaskCursor {
  const match = TOKEN.exec(Buffer.from(token, 'base64url').toString('utf8'));
  const [, statusMillis, id] = match ?? [];
  if (statusMillis === undefined || id === undefined) {
    throw new InvalidParamsError([{ field: 'pageToken', description: 'is not a token of an earlier page' }]);
  }
  return { statusMillis: Number(statusMillis), id };
}
