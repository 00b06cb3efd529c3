import { readTexts } from './card-fields.js';
import type { CardFindings } from './card-findings.js';

const NAME = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}';
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const PARAMETER = `\\s*;\\s*${TOKEN}=(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
// RFC 6838 names and RFC 9110 parameters; the wildcards are what an agent that takes anything writes.
const MEDIA_TYPE = new RegExp(`^(?:\\*/\\*|${NAME}/(?:\\*|${NAME}))(?:${PARAMETER})*$`);

/** The media types of a card or a skill; `undefined` when none are named or one was a fault. */
export function readMediaTypes(findings: CardFindings, path: string, value: unknown): string[] | undefined {
  const types = readTexts(findings, path, value);
  types?.forEach((type, index) => {
    if (MEDIA_TYPE.test(type)) return;
    findings.fault(`${path}[${index}]`, `${JSON.stringify(type)} is no media type; one looks like text/plain`);
  });
  return types;
}
