import { InvalidParamsError, type FieldViolation, type TaskPushNotificationConfig } from 'nestjs-a2a/protocol';

const MAX_URL_LENGTH = 2_048;
const MAX_TOKEN_LENGTH = 4_096;
const MAX_CREDENTIALS_LENGTH = 8_192;
const MAX_ID_LENGTH = 256;
/** RFC 9110, section 5.6.2. */
const HEADER_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** What a header can hold: no control characters, nothing outside of Latin-1. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;
const URL_TEXT = /^[\x21-\x7e\xa1-\xff]+$/;

/**
 * Checks what can be told of a config without asking anybody. Names fields, never values: they may be secrets.
 *
 * @param path of the config in the request, with a dot at its end, or ''
 * @throws InvalidParamsError
 */
export function checkPushConfig(config: TaskPushNotificationConfig, path: string): void {
  const { id = '', url, token = '', authentication } = config;
  const faults: FieldViolation[] = [];
  const rule = (field: string, holds: boolean, description: string): void => {
    if (!holds) faults.push({ field: path + field, description });
  };
  rule('id', id.length <= MAX_ID_LENGTH, `must have at most ${MAX_ID_LENGTH} characters`);
  rule('url', url.length <= MAX_URL_LENGTH, `must have at most ${MAX_URL_LENGTH} characters`);
  rule('url', isHttpUrl(url), 'must be an absolute http or https URL');
  rule('token', token.length <= MAX_TOKEN_LENGTH, `must have at most ${MAX_TOKEN_LENGTH} characters`);
  rule('token', HEADER_TEXT.test(token), 'holds characters that a header cannot');
  if (authentication) {
    const { scheme, credentials = '' } = authentication;
    rule('authentication.scheme', HEADER_TOKEN.test(scheme), 'must be the name of an HTTP authentication scheme');
    const size = `must have at most ${MAX_CREDENTIALS_LENGTH} characters`;
    rule('authentication.credentials', credentials.length <= MAX_CREDENTIALS_LENGTH, size);
    const text = 'holds characters that a header cannot';
    rule('authentication.credentials', HEADER_TEXT.test(credentials), text);
  }
  if (faults.length > 0) throw new InvalidParamsError(faults);
}

function isHttpUrl(url: string): boolean {
  // The parser drops tabs and line ends in silence.
  if (!URL_TEXT.test(url) || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '';
}
