import type { AgentCard, AgentSkill } from 'nestjs-a2a/protocol';
import type { ChatClient } from '../a2a-chat.js';
import type { A2AClient } from '../a2a-client.js';
import { A2AClientError } from '../client-error.js';
import type { AgentTarget } from '../discovery/agent-target.js';
import { checkNames, type NamesOf } from '../option-names.js';
import { createA2ATool, type A2AToolDefinition } from './create-a2a-tool.js';
import { skillDescription } from './skill-description.js';
import { toolClientFor } from './tool-client.js';
import { ToolNames } from './tool-name.js';
import { TOOL_OPTION_NAMES, type A2AToolCallOptions, type A2AToolOptions } from './tool-options.js';

const DEFAULT_MAX_DESCRIPTION_LENGTH = 1024;
const DEFAULT_MAX_TOOLS = 64;
/** Where the message of such a tool says which skill is meant: the id of the skill in the card. */
export const SKILL_ID_METADATA = 'skillId';

/**
 * How tools are made of the skills of a card.
 *
 * @publicApi
 */
export interface A2ASkillToolsOptions extends A2AToolOptions, A2AToolCallOptions {
  /** Before the name of each tool, with `_` between: tells the tools of several agents apart. */
  readonly prefix?: string;
  /** Which skills become tools. Default: all. */
  readonly filter?: (skill: AgentSkill) => boolean;
  /** What the model is told of a skill, instead of what the card says. */
  readonly describe?: (skill: AgentSkill, card: AgentCard) => string;
  /** Longest description made of a card, in UTF-16 units. Default: 1,024. */
  readonly maxDescriptionLength?: number;
  /** More skills than that are an error. Default: 64. */
  readonly maxTools?: number;
}

const NAMES: NamesOf<A2ASkillToolsOptions> = {
  ...TOOL_OPTION_NAMES,
  signal: true,
  prefix: true,
  filter: true,
  describe: true,
  maxDescriptionLength: true,
  maxTools: true,
};

/**
 * Reads the card of an agent, and makes a tool of each skill in it. All of them send messages to the same agent; the
 * metadata of a message says which skill is meant, `{ "skillId": "…" }`.
 *
 * The tools share one client: closing one closes all, unless the client was given.
 *
 * @param target URL of the agent or of its card, the card, or a client that is bound to the agent
 * @throws A2AClientError `TOO_MANY_SKILLS`, `INVALID_TOOL`, and what discovery throws
 * @publicApi
 */
export async function createA2ASkillTools(
  target: AgentTarget | (ChatClient & Pick<A2AClient, 'agent'>),
  options: A2ASkillToolsOptions = {},
): Promise<A2AToolDefinition[]> {
  checkNames('The options of createA2ASkillTools', options, NAMES, 'INVALID_TOOL');
  const { conversation, maxAnswerLength, metadata, maxDescriptionLength = DEFAULT_MAX_DESCRIPTION_LENGTH } = options;
  if (!Number.isSafeInteger(maxDescriptionLength) || maxDescriptionLength < 1) {
    throw new A2AClientError('INVALID_TOOL', 'maxDescriptionLength must be a whole number above 0');
  }
  const { client, close } = toolClientFor(target, options);
  try {
    const { card } = await client.agent({ signal: options.signal });
    const names = new ToolNames(options.prefix);
    return skillsOf(card, options).map((skill) => {
      const tool = createA2ATool(client, {
        conversation,
        maxAnswerLength,
        name: names.next(skill.id, skill.name),
        description: descriptionOf(skill, card, options),
        metadata: { ...metadata, [SKILL_ID_METADATA]: skill.id },
      });
      return { ...tool, close };
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function skillsOf(
  card: AgentCard,
  { filter = () => true, maxTools = DEFAULT_MAX_TOOLS }: A2ASkillToolsOptions,
): AgentSkill[] {
  const skills = card.skills.filter(filter);
  if (skills.length <= maxTools) return skills;
  throw new A2AClientError(
    'TOO_MANY_SKILLS',
    `The card has ${skills.length} skills, and only ${maxTools} may become tools: choose some with the option 'filter'`,
  );
}

function descriptionOf(skill: AgentSkill, card: AgentCard, options: A2ASkillToolsOptions): string {
  const { describe, maxDescriptionLength = DEFAULT_MAX_DESCRIPTION_LENGTH } = options;
  return describe?.(skill, card) ?? skillDescription(skill, card, maxDescriptionLength);
}
