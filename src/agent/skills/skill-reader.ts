import type { A2AUser } from '../../authorization/a2a-user.js';
import { AgentCardError } from '../card/agent-card.error.js';
import { withLimit } from '../../execution/limits.js';
import { textOfThrown } from '../../thrown-value.js';
import type { SkillList } from './skill-descriptor.js';
import { SkillSourceError } from './skill-source.error.js';
import type { SkillSource } from './skill-source.js';

const TIMEOUT_MS = 5_000;
const MAX_SKILLS = 500;

/** Asks a source, within bounds. */
export class SkillReader {
  constructor(
    private readonly source: SkillSource,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * @throws SkillSourceError when the source fails, is late, or answers with no list or too long a one
   * @throws AgentCardError of the source, as it is
   */
  async read(user: A2AUser, tenant: string, gone?: AbortSignal): Promise<SkillList> {
    const controller = new AbortController();
    const { signal } = controller;
    try {
      const asked = Promise.resolve(this.source.getSkills({ user, tenant, signal }));
      return checked(await withLimit(asked, this.timeoutMs, 'no answer', gone));
    } catch (cause) {
      controller.abort(cause);
      // What is wrong with files is told as with the file of the card.
      if (cause instanceof SkillSourceError || cause instanceof AgentCardError) throw cause;
      throw new SkillSourceError(`The SkillSource failed: ${textOfThrown(cause)}`, { cause });
    }
  }
}

function checked(answer: unknown): SkillList {
  if (!isList(answer)) throw new SkillSourceError('The SkillSource gave no list: getSkills() answers with an array');
  if (answer.length <= MAX_SKILLS) return answer;
  throw new SkillSourceError(
    `The SkillSource gave ${answer.length} skills; a card takes ${MAX_SKILLS}: choose those that say what the agent is for`,
  );
}

function isList(value: unknown): value is SkillList {
  return Array.isArray(value);
}
