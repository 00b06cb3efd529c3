import { ValidateIf } from 'class-validator';
import type { SpecRevision } from 'nestjs-a2a/protocol';
import type { A2AModuleOptions, AnonymousListMode, FollowUpMode } from '../a2a.options.js';
import type { AgentCardInput } from '../agent/card/agent-card-input.js';
import { ANONYMOUS_LIST_MODES, FOLLOW_UP_MODES, SPEC_REVISIONS, type STRUCTURE_OPTIONS } from './option-names.js';
import {
  IsAgeSeconds,
  IsCardOrPath,
  IsChoice,
  IsCount,
  IsPublicUrl,
  IsRoutePath,
  IsSwitch,
  IsTimerMilliseconds,
  IsTimerSeconds,
} from './option-validators.js';

/** class-validator's `IsOptional` lets `null` pass as well, which is a slip here and would reach the settings. */
function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** The rules of the options, the same for what is given in code and what the environment says. */
export class A2AOptionsSchema implements Omit<A2AModuleOptions, (typeof STRUCTURE_OPTIONS)[number]> {
  @Optional() @IsSwitch() enabled?: boolean;
  @Optional() @IsCardOrPath() agentCard?: AgentCardInput | string;
  @Optional() @IsRoutePath() pathPrefix?: string;
  @Optional() @IsRoutePath() jsonRpcPath?: string;
  @Optional() @IsPublicUrl() publicUrl?: string;
  @Optional() @IsSwitch() slashActionAliasesEnabled?: boolean;
  @Optional() @IsSwitch() legacyAliases?: boolean;
  @Optional() @IsTimerSeconds() agentTimeoutSeconds?: number;
  @Optional() @IsTimerSeconds() maxRunSeconds?: number;
  @Optional() @IsTimerSeconds('moreThanZero') consumptionTimeoutSeconds?: number;
  @Optional() @IsTimerSeconds() reconciliationTimeoutSeconds?: number;
  @Optional() @IsCount(1) executorMaxSize?: number;
  @Optional() @IsCount(0) executorCoreSize?: number;
  @Optional() @IsAgeSeconds() executorKeepAliveSeconds?: number;
  @Optional() @IsCount(0) executorQueueCapacity?: number;
  @Optional() @IsTimerSeconds() heartbeatIntervalSeconds?: number;
  @Optional() @IsCount(1) maxRequestBytes?: number;
  @Optional() @IsTimerMilliseconds() taskCreationDelayMs?: number;
  @Optional() @IsCount(0) historyMaxRawBytes?: number;
  @Optional() @IsCount(1) maxTasks?: number;
  @Optional() @IsAgeSeconds() taskTtlSeconds?: number;
  @Optional() @IsAgeSeconds() waitingTtlSeconds?: number;
  @Optional() @IsCount(1) maxTaskBytes?: number;
  @Optional() @IsCount(1) maxStoreBytes?: number;
  @Optional() @IsCount(1) maxSubscribersPerTask?: number;
  @Optional() @IsCount(1) maxReaderBufferBytes?: number;
  @Optional() @IsCount(1) maxPushConfigsPerTask?: number;
  @Optional() @IsTimerSeconds() shutdownTimeoutSeconds?: number;
  @Optional() @IsTimerSeconds() cancelGraceSeconds?: number;
  @Optional() @IsTimerSeconds() replayGraceSeconds?: number;
  @Optional() @IsCount(0) maxRunsPerOwner?: number;
  @Optional() @IsCount(0) maxTasksPerOwner?: number;
  @Optional() @IsCount(0) maxFailedLogins?: number;
  @Optional() @IsChoice(FOLLOW_UP_MODES) followUps?: FollowUpMode;
  @Optional() @IsSwitch() closeStreamOnInputRequired?: boolean;
  @Optional() @IsSwitch() checkInputModes?: boolean;
  @Optional() @IsSwitch() strictTransitions?: boolean;
  @Optional() @IsChoice(SPEC_REVISIONS) specRevision?: SpecRevision;
  @Optional() @IsSwitch() tenantRoutes?: boolean;
  @Optional() @IsChoice(ANONYMOUS_LIST_MODES) anonymousList?: AnonymousListMode;
}
