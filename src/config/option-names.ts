import type { A2AModuleOptions, AnonymousListMode, FollowUpMode } from '../a2a.options.js';
import type { SpecRevision } from 'nestjs-a2a/protocol';

/** Name of an option. */
export type OptionName = keyof A2AModuleOptions;

/** What all our environment variables begin with. */
export const VARIABLE_PREFIX = 'A2A_SERVER_';

/** Options whose value is text with a form of its own. */
export const TEXT_OPTIONS = ['agentCard', 'pathPrefix', 'jsonRpcPath', 'publicUrl'] as const;

export const BOOLEAN_OPTIONS = [
  'enabled',
  'slashActionAliasesEnabled',
  'legacyAliases',
  'closeStreamOnInputRequired',
  'checkInputModes',
  'strictTransitions',
  'tenantRoutes',
] as const;

export const NUMBER_OPTIONS = [
  'agentTimeoutSeconds',
  'maxRunSeconds',
  'consumptionTimeoutSeconds',
  'reconciliationTimeoutSeconds',
  'executorMaxSize',
  'executorCoreSize',
  'executorKeepAliveSeconds',
  'executorQueueCapacity',
  'heartbeatIntervalSeconds',
  'maxRequestBytes',
  'taskCreationDelayMs',
  'historyMaxRawBytes',
  'maxTasks',
  'taskTtlSeconds',
  'waitingTtlSeconds',
  'maxTaskBytes',
  'maxStoreBytes',
  'maxSubscribersPerTask',
  'maxReaderBufferBytes',
  'maxPushConfigsPerTask',
  'shutdownTimeoutSeconds',
  'cancelGraceSeconds',
  'replayGraceSeconds',
  'maxRunsPerOwner',
  'maxTasksPerOwner',
  'maxFailedLogins',
] as const;

export const CHOICE_OPTIONS = ['followUps', 'specRevision', 'anonymousList'] as const;

export const FOLLOW_UP_MODES: readonly FollowUpMode[] = ['reject', 'queue', 'steer'];
export const SPEC_REVISIONS: readonly SpecRevision[] = ['1.0.1', '1.0.0'];
export const ANONYMOUS_LIST_MODES: readonly AnonymousListMode[] = ['all', 'context'];

/** Options that are no plain values: given in code only. */
export const STRUCTURE_OPTIONS = ['push', 'pushUrlValidator', 'cardSigning'] as const;

/** Options that have an environment variable. */
export const VARIABLE_OPTIONS: readonly OptionName[] = [
  ...TEXT_OPTIONS,
  ...BOOLEAN_OPTIONS,
  ...NUMBER_OPTIONS,
  ...CHOICE_OPTIONS,
];

/** Every option, in the order that faults are told in. */
export const OPTION_NAMES: readonly OptionName[] = [...VARIABLE_OPTIONS, ...STRUCTURE_OPTIONS];

/**
 * The environment variable of an option.
 *
 * @example environmentVariableOf('maxTasks') // 'A2A_SERVER_MAX_TASKS'
 */
export function environmentVariableOf(option: OptionName): string {
  return VARIABLE_PREFIX + option.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();
}
