import { MAX_SHOWN_LENGTH } from './analysis-limits.js';

/**
 * A text cut to a length that can be shown.
 *
 * JSON may carry half a surrogate pair, and a cut may make one; neither can be sent on, so the text goes through UTF-8.
 */
export function shownText(text: string, maxLength = MAX_SHOWN_LENGTH): string {
  if (text.length <= maxLength) return Buffer.from(text, 'utf8').toString('utf8');
  const last = text.charCodeAt(maxLength - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength;
  return `${Buffer.from(text.slice(0, end), 'utf8').toString('utf8')}…`;
}
