import type { AgentCapabilities, AgentCard, AgentInterface, AgentSkill } from 'nestjs-a2a/protocol';

/**
 * A skill as an author writes it.
 *
 * @publicApi
 */
export interface AgentSkillInput extends Omit<AgentSkill, 'id' | 'description' | 'tags'> {
  /** Unique in the card. Default: made from the name, e.g. `find-recipes`. */
  id?: string;
  /** Default `''`. */
  description?: string;
  /** Default: the skill's id. */
  tags?: string[];
  /** JSON Schema of what the skill takes; told by the older card (`legacyAliases`), the only one with a place for it. */
  inputSchema?: Readonly<Record<string, unknown>>;
}

/**
 * An interface as an author writes it; only custom bindings are kept, the module fills in its own.
 *
 * @publicApi
 */
export type AgentInterfaceInput = Partial<AgentInterface>;

/**
 * An agent card as an author writes it: what the module can derive or default may be left out.
 *
 * @publicApi
 */
export interface AgentCardInput extends Partial<
  Omit<AgentCard, 'name' | 'skills' | 'supportedInterfaces' | 'signatures' | 'capabilities'>
> {
  /** Name of the agent, for people. */
  name: string;
  /** Default: one skill made of the card's name and description. */
  skills?: AgentSkillInput[];
  /**
   * What is not said is derived from what is wired. `false` turns a feature off; `true` for a feature that is not
   * there is refused at start.
   */
  capabilities?: AgentCapabilities;
  /** Interfaces on custom bindings; those the module mounts are added by it. */
  supportedInterfaces?: AgentInterfaceInput[];
}
