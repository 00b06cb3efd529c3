import type { FieldViolation } from 'nestjs-a2a/protocol';

/**
 * An executor written for `@a2a-js/sdk` has published what is no event of its line. Its task fails; the log has this.
 *
 * @publicApi
 */
export class A2AJsEventError extends Error {
  /** Stable code, whatever the message says. */
  readonly code = 'A2A_JS_EVENT';

  constructor(message: string) {
    super(message);
    this.name = 'A2AJsEventError';
  }

  static of(violations: readonly FieldViolation[]): A2AJsEventError {
    const faults = violations.map(({ field, description }) => `${field || 'it'} ${description}`);
    return new A2AJsEventError(`The published event is not one: ${faults.join('; ')}`);
  }
}
