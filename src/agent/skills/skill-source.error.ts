/**
 * A `SkillSource` gave no usable answer. For the log only: callers get an internal error.
 *
 * @publicApi
 */
export class SkillSourceError extends Error {
  /** Stable code, whatever the message says. */
  readonly code = 'A2A_SKILL_SOURCE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SkillSourceError';
  }
}
