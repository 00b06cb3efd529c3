// What joins letters and emoji, and makes an emoji of a sign: each alone, and only where there is something to do.
const JOINER =
  /(?<=[^\p{ASCII}\p{Default_Ignorable_Code_Point}]\ufe0f?)[\u200c\u200d](?=[^\p{ASCII}\p{Default_Ignorable_Code_Point}])/u;
const SELECTOR = /(?<=\p{Extended_Pictographic})\ufe0f|\ufe0f(?=\u20e3)/u;
const UNSEEN = /[\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** What shows nothing and may hide words from whoever reads a card: rows of tags, selectors or joiners spell bytes. */
const INVISIBLE = new RegExp(`(?!${JOINER.source}|${SELECTOR.source})${UNSEEN.source}`, 'gu');
const GAP = /[\p{Cc}\p{Z}]+/gu;
/** Of what is cut anyway, only so much is cleaned for each character that is kept. */
const RAW_PER_KEPT = 4;

/** A text of at most so many UTF-16 units, of whole characters. */
export function startOf(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.codePointAt(maxLength - 1) ?? 0;
  return text.slice(0, last > 0xff_ff ? maxLength - 1 : maxLength);
}

/** A stranger's text as one line of visible characters; what is too long ends with `…`. */
export function oneLine(text: string, maxLength: number): string {
  const line = startOf(text, maxLength * RAW_PER_KEPT)
    .replaceAll(GAP, ' ')
    .replaceAll(INVISIBLE, '')
    .trim();
  return line.length <= maxLength ? line : `${startOf(line, maxLength - 1).trimEnd()}…`;
}

/** An answer of at most so many UTF-16 units; one that is longer is cut, and says so. */
export function boundedAnswer(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${startOf(text, maxLength)}\n[The answer was cut here: it has ${text.length} characters]`;
}
