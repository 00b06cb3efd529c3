/** Injection token of the options as they were given. */
export const WORKFLOW_OPTIONS = Symbol.for('nestjs-a2a.workflow-options');

/** Injection token of the options, checked and complete. */
export const WORKFLOW_SETTINGS = Symbol.for('nestjs-a2a.workflow-settings');

/** Injection token of all observers together. */
export const WORKFLOW_OBSERVERS = Symbol.for('nestjs-a2a.workflow-observers');

export const CONTROL_POINT_PREFIX = 'WorkflowControlPoint:';

/**
 * The token of a control point that has a name; for `overrideProvider` in tests, for example.
 *
 * @param name as in `WorkflowModule.forFeature`
 * @publicApi
 */
export function getControlPointToken(name: string): string {
  return `${CONTROL_POINT_PREFIX}${name}`;
}
