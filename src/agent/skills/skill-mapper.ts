import type { AgentSkill } from 'nestjs-a2a/protocol';
import type { AgentSkillInput } from '../card/agent-card-input.js';
import { skillIdOf } from '../card/skill-id.js';
import type { SkillDescriptor, SkillList } from './skill-descriptor.js';

/**
 * A skill with everything that a card wants; its schema is only for the older card.
 *
 * @publicApi
 */
export type MappedSkill = AgentSkill & Pick<AgentSkillInput, 'inputSchema'>;

/**
 * What a card says of a skill: its name and description, trimmed, and of the rest what cards have room for. Input and
 * output modes that the skill does not name are those of the card.
 *
 * Mapping is not authorization: whoever may not know of a skill must not get it into the list.
 *
 * @returns `null` without a descriptor, or when its name is blank
 * @publicApi
 */
export function mapToA2ASkill(descriptor: SkillDescriptor | null | undefined): AgentSkillInput | null {
  const name = textOf(descriptor?.name);
  if (descriptor === null || descriptor === undefined || name === '') return null;
  const { tags, examples, inputModes, outputModes, securityRequirements, inputSchema } = descriptor;
  const id = textOf(descriptor.id);
  return {
    ...(id !== '' && { id }),
    name,
    description: textOf(descriptor.description),
    ...(isFilled(tags) && { tags }),
    ...(isFilled(examples) && { examples }),
    ...(isFilled(inputModes) && { inputModes }),
    ...(isFilled(outputModes) && { outputModes }),
    ...(securityRequirements !== undefined && { securityRequirements }),
    ...(inputSchema !== undefined && { inputSchema }),
  };
}

/**
 * The same for a list, with ids: those that are given, else made of the names (`Find recipes` is `find-recipes`; a name
 * without a Latin letter or digit is `skill-` and its place in the list). The second skill of an id gets `-2` behind it.
 *
 * @param taken ids that are in use already
 * @publicApi
 */
export function mapToA2ASkills(descriptors: SkillList, taken: Iterable<string> = []): MappedSkill[] {
  const used = new Set(taken);
  const mapped = descriptors.map(mapToA2ASkill);
  const given = new Set(mapped.flatMap((skill) => skill?.id ?? []));
  // Where the search for a free number ended, by the wanted id: many skills may want the same one.
  const reached = new Map<string, number>();
  return mapped.flatMap((skill, index) => {
    if (skill === null) return [];
    const wanted = skill.id ?? skillIdOf(skill.name, index + 1);
    // Somebody has chosen a given id: what was only derived makes way for it.
    const isFree = (id: string): boolean => !used.has(id) && (id === skill.id || !given.has(id));
    const id = firstFree(wanted, isFree, reached);
    used.add(id);
    return [{ ...skill, id, description: skill.description ?? '', tags: skill.tags ?? [id] }];
  });
}

function firstFree(wanted: string, isFree: (id: string) => boolean, reached: Map<string, number>): string {
  if (isFree(wanted)) return wanted;
  let n = reached.get(wanted) ?? 2;
  while (!isFree(`${wanted}-${n}`)) n++;
  reached.set(wanted, n + 1);
  return `${wanted}-${n}`;
}

/** Descriptors come from files and databases, whatever their type says. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** What is no list is kept, so that the check of the card finds it. */
function isFilled(list: readonly string[] | null | undefined): boolean {
  return list !== undefined && list !== null && list.length !== 0;
}
