import type { A2AUser } from '../../authorization/a2a-user.js';
import type { SkillList } from './skill-descriptor.js';

/**
 * Whose skills are asked for.
 *
 * @publicApi
 */
export interface SkillCaller {
  /** The anonymous user for the public card. */
  readonly user: A2AUser;
  /** The tenant that the call names, `''` when it names none, as for the public card. */
  readonly tenant: string;
  /** Aborted when the caller is gone, and when the answer takes too long (5 s). */
  readonly signal: AbortSignal;
}

/**
 * Where skills of the card come from, besides those that its author wrote. The class is its own injection token.
 *
 * The public card has what the anonymous user may see. Authenticated callers find what they may see in the extended
 * card, which there is when one of them may log in. At most 500 skills, within 5 seconds.
 *
 * @publicApi
 */
export abstract class SkillSource {
  /** True when everybody may see the same skills: then no extended card is needed for them. Default false. */
  readonly sameForAll?: boolean;

  /** How long the public card may go without asking again, in seconds. Default 10. */
  readonly publicMaxAgeSeconds?: number;

  /**
   * The skills that a caller may see; nobody checks that afterwards.
   *
   * @throws anything: the caller gets a masked internal error; the public card stays as it was
   */
  abstract getSkills(caller: SkillCaller): SkillList | Promise<SkillList>;
}

/**
 * A source that is only a function.
 *
 * @publicApi
 */
export type SkillFunction = SkillSource['getSkills'];

/** The source of an agent whose skills are all in its card. */
export class NoSkillSource extends SkillSource {
  override getSkills(): SkillList {
    return [];
  }
}

/** The source that a function makes. */
export class FunctionSkillSource extends SkillSource {
  constructor(override readonly getSkills: SkillFunction) {
    super();
  }
}
