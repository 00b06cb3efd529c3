import { camelCased, type Fields, isAbsent, isFields, readRequiredText, readText, readTexts } from './card-fields.js';
import type { CardFindings } from './card-findings.js';
import { readMediaTypes } from './media-type-list.js';
import { skillIdOf } from './skill-id.js';
import { checkRequirements } from './card-security.js';
import { warnOfUnknownKeys } from './card-unknown-keys.js';

const SKILL_KEYS = [
  'id',
  'name',
  'description',
  'tags',
  'examples',
  'inputModes',
  'outputModes',
  'securityRequirements',
  'inputSchema',
];

function readSkill(
  findings: CardFindings,
  path: string,
  value: unknown,
  index: number,
  schemes: Fields | undefined,
): Fields {
  if (!isFields(value)) {
    findings.fault(path, 'must be an object');
    return {};
  }
  const skill = camelCased(value);
  warnOfUnknownKeys(findings, path, skill, SKILL_KEYS);
  const name = readRequiredText(findings, `${path}.name`, skill['name']);
  const id = readText(findings, `${path}.id`, skill['id'], '') || skillIdOf(name, index + 1);
  checkRequirements(findings, `${path}.securityRequirements`, skill['securityRequirements'], schemes);
  return {
    id,
    name,
    description: readText(findings, `${path}.description`, skill['description'], ''),
    // The protocol demands one tag at least, and the id is a true one.
    tags: readTexts(findings, `${path}.tags`, skill['tags']) ?? [id],
    examples: readTexts(findings, `${path}.examples`, skill['examples']),
    inputModes: readMediaTypes(findings, `${path}.inputModes`, skill['inputModes']),
    outputModes: readMediaTypes(findings, `${path}.outputModes`, skill['outputModes']),
    securityRequirements: skill['securityRequirements'],
    inputSchema: readSchema(findings, `${path}.inputSchema`, skill['inputSchema']),
  };
}

/** A copy, so that what is served is what was checked. */
function readSchema(findings: CardFindings, path: string, value: unknown): Fields | undefined {
  if (isAbsent(value)) return undefined;
  try {
    const copy: unknown = JSON.parse(JSON.stringify(value));
    if (isFields(copy)) return copy;
  } catch {
    // Circular, or with values that JSON has not.
  }
  findings.fault(path, 'must be a JSON Schema, which is a JSON object');
  return undefined;
}

/** The schemas of what skills take, by the skill's id; undefined when there are none. */
export function inputSchemasOf(skills: readonly Fields[]): Readonly<Record<string, object>> | undefined {
  const schemas = skills.flatMap(({ id, inputSchema }) => (isFields(inputSchema) ? [[String(id), inputSchema]] : []));
  return schemas.length === 0 ? undefined : Object.fromEntries(schemas);
}

function refuseDuplicates(findings: CardFindings, skills: readonly Fields[]): void {
  const first = new Map<unknown, number>();
  skills.forEach(({ id }, index) => {
    if (id === undefined) return;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else findings.fault(`skills[${index}].id`, `${JSON.stringify(id)} is the id of skills[${earlier}] as well`);
  });
}

/** The skills of a card; a card without any gets one that says what the card itself says. */
export function readSkills(
  findings: CardFindings,
  card: Fields,
  name: string,
  description: string,
  schemes: Fields | undefined,
): Fields[] {
  const value = card['skills'];
  if (!isAbsent(value) && !Array.isArray(value)) {
    findings.fault('skills', 'must be an array of skills');
    return [];
  }
  if (isAbsent(value) || value.length === 0) {
    const id = skillIdOf(name, 1);
    findings.warnings.push(
      `the agent card has no skills; one named ${JSON.stringify(name)} was made of the card itself`,
    );
    return [{ id, name, description, tags: [id] }];
  }
  const skills = value.map((skill: unknown, index) => readSkill(findings, `skills[${index}]`, skill, index, schemes));
  refuseDuplicates(findings, skills);
  return skills;
}
