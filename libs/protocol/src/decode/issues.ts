import type { FieldViolation } from '../types/violation.js';

// A hostile body must not make an error larger than itself.
const MAX_VIOLATIONS = 32;

/**
 * Violations found while one value is decoded. Each decoder reports relative to what it was given, its parent puts the
 * name in front: a faultless value, the usual case, then pays for no paths.
 */
export class Issues {
  readonly violations: FieldViolation[] = [];

  /** @param tolerant `true` for what peers answer: required lists may be empty or, as ProtoJSON writes them, absent */
  constructor(readonly tolerant: boolean) {}

  get count(): number {
    return this.violations.length;
  }

  get full(): boolean {
    return this.violations.length >= MAX_VIOLATIONS;
  }

  /** @returns undefined, so that a decoder can report and end in one line */
  add(description: string, field = ''): undefined {
    if (!this.full) this.violations.push({ field, description });
    return undefined;
  }

  /** Puts the name of a member in front of the violations since `from`. */
  nest(from: number, name: string): void {
    for (const violation of this.violations.slice(from)) {
      const { field } = violation;
      violation.field = field === '' || field.startsWith('[') ? name + field : `${name}.${field}`;
    }
  }
}
