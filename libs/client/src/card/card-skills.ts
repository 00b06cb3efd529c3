import { readSecurityRequirements } from './security-requirements.js';
import { defined, memberOf, objectsOf, textOf, type WireObject } from './wire-member.js';

/** The skills of a card, in v1.0 form. Those without a name and an id are left out, as nobody could name them. */
export function readSkills(card: WireObject): WireObject[] {
  return objectsOf(card, 'skills').flatMap((skill, index) => {
    const name = (textOf(skill, 'name') ?? textOf(skill, 'id'))?.trim();
    if (name === undefined || name === '') return [];
    const lists = ['tags', 'examples', 'inputModes', 'outputModes'].map((list) => [list, memberOf(skill, list)]);
    return [
      defined({
        ...Object.fromEntries(lists),
        id: textOf(skill, 'id') ?? slugOf(name, index + 1),
        name,
        description: textOf(skill, 'description') ?? '',
        securityRequirements: readSecurityRequirements(skill),
      }),
    ];
  });
}

/** The id of a skill that has only a name, as agents of that kind make it themselves. */
function slugOf(name: string, position: number): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/-?[^a-z0-9_-]+/g, '-')
    .replace(/-+$/, '');
  return slug === '' ? `skill-${position}` : slug;
}
