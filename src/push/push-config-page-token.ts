import { InvalidParamsError } from 'nestjs-a2a/protocol';

const PREFIX = 'after:';
const MAX_LENGTH = 4_096;

/** The opaque token of the next page. @param cursor what the store goes on with */
export function configPageToken(cursor: string): string {
  return Buffer.from(PREFIX + cursor).toString('base64url');
}

/** @throws InvalidParamsError when the token is none of ours */
export function configCursorOf(token: string): string {
  const text = token.length > MAX_LENGTH ? '' : Buffer.from(token, 'base64url').toString('utf8');
  if (text.startsWith(PREFIX)) return text.slice(PREFIX.length);
  throw new InvalidParamsError([{ field: 'pageToken', description: 'is not a token of an earlier page' }]);
}
