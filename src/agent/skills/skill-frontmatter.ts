import { LineCounter, parseDocument, type Document } from 'yaml';
import { isFields, type Fields } from '../card/card-fields.js';
import { textOfThrown } from '../../thrown-value.js';
import type { SkillDescriptor } from './skill-descriptor.js';

/** What a `SKILL.md` says of itself, or what is wrong with it. */
export type FrontmatterResult =
  | { readonly skill: SkillDescriptor; readonly fault?: undefined }
  | { readonly skill?: undefined; readonly fault: string };

const START = /^\uFEFF?---[ \t]*\r?\n/;
const END = /^(?:---|\.\.\.)[ \t]*\r?$/m;
const LISTS = ['tags', 'examples', 'inputModes', 'outputModes'] as const;

/**
 * Reads the head of a `SKILL.md`: YAML between two lines of `---`. Every scalar is a text, so that `version: 1.10` stays
 * what it is; keys that mean nothing here are passed over, as other tools have keys of their own.
 */
export function readFrontmatter(text: string): FrontmatterResult {
  const start = START.exec(text);
  if (start === null) return { fault: 'must begin with YAML between two lines of ---' };
  const rest = text.slice(start[0].length);
  const end = END.exec(rest);
  if (end === null) return { fault: 'the YAML at its beginning has no end: a line of --- within the first 32 KiB' };
  const yaml = rest.slice(0, end.index);
  // What stands for bytes that are none.
  if (yaml.includes('\uFFFD')) return { fault: 'the YAML at its beginning is not UTF-8' };
  try {
    return skillOf(fieldsOf(yaml));
  } catch (error) {
    return { fault: textOfThrown(error) };
  }
}

function fieldsOf(yaml: string): Fields {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { schema: 'failsafe', lineCounter, prettyErrors: false, logLevel: 'silent' });
  // A tag that is not known is a warning there; nothing here needs one.
  const problem = [...document.errors, ...document.warnings][0];
  if (problem !== undefined) {
    const { line } = lineCounter.linePos(problem.pos[0]);
    // The first line is the one of ---.
    throw new Error(`line ${line + 1} is not YAML that can be read (${problem.code})`);
  }
  const value = valueOf(document);
  if (!isFields(value)) throw new Error('the YAML at its beginning must be a map, with name and description');
  return value;
}

/** Without aliases, of which a few lines could make gigabytes. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (cause) {
    throw new Error('YAML aliases (*name) are not read here', { cause });
  }
}

function skillOf(fields: Fields): FrontmatterResult {
  const more = isFields(fields['metadata']) ? fields['metadata'] : {};
  const found = (name: string): unknown => valueUnder(fields, name) ?? valueUnder(more, name);
  const name = textIn('name', fields['name']);
  if (name === undefined) return { fault: 'has no name' };
  const skill: SkillDescriptor = { name };
  for (const key of ['description', 'id', 'version', 'license'] as const) {
    const text = textIn(key, found(key));
    if (text !== undefined) skill[key] = text;
  }
  for (const key of LISTS) {
    const list = listIn(key, found(key));
    if (list.length > 0) skill[key] = list;
  }
  return { skill };
}

/** `inputModes` may be `input-modes` or `input_modes` as well. */
function valueUnder(fields: Fields, name: string): unknown {
  const spelt = (dash: string): string => name.replace(/[A-Z]/g, (letter) => dash + letter.toLowerCase());
  const value = fields[name] ?? fields[spelt('-')] ?? fields[spelt('_')];
  return value === '' ? undefined : value;
}

function textIn(key: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value.trim() === '' ? undefined : value.trim();
}

/** A list, or texts with commas between them; an example may have commas of its own. */
function listIn(key: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') {
    const texts = key === 'examples' ? [value] : value.split(',');
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }
  if (!Array.isArray(value)) throw new Error(`${key} must be a list of texts`);
  return value.flatMap((entry: unknown, index) => textIn(`${key}[${index}]`, entry) ?? []);
}
