import { Logger } from '@nestjs/common';
import {
  type WorkflowEngineClientConfig,
  workflowEngineClientConfig,
} from '../client/workflow-engine-client.config.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import type { WorkflowModuleOptions } from './workflow-module.options.js';

/** Options of the module, checked and complete. */
export interface WorkflowSettings {
  readonly client: WorkflowEngineClientConfig;
  readonly agentCardsMaxAgeSeconds: number;
  readonly maxConcurrentRuns: number;
  readonly maxEndedRuns: number;
  readonly maxKeptEvents: number;
  readonly shutdownTimeoutSeconds: number;
  readonly maxParallelTasks: number | undefined;
  readonly maxParallelTasksPerAgent: number | undefined;
  readonly runningStatus: boolean | undefined;
  readonly lang: string | undefined;
}

/** @throws WorkflowArgumentError that names the option */
export function workflowSettings(options: WorkflowModuleOptions): WorkflowSettings {
  const { client, maxParallelTasks, maxParallelTasksPerAgent, runningStatus, lang } = options;
  const seconds = (name: 'agentCardsMaxAgeSeconds' | 'shutdownTimeoutSeconds', usual: number): number =>
    atLeast(0, name, options[name] ?? usual);
  const count = (name: 'maxConcurrentRuns' | 'maxEndedRuns' | 'maxKeptEvents', least: number, usual: number): number =>
    whole(name, atLeast(least, name, options[name] ?? usual));
  return Object.freeze({
    client: workflowEngineClientConfig({ ...client, log: client?.log ?? new Logger('WorkflowEngine') }),
    agentCardsMaxAgeSeconds: seconds('agentCardsMaxAgeSeconds', 300),
    maxConcurrentRuns: count('maxConcurrentRuns', 1, 100),
    maxEndedRuns: count('maxEndedRuns', 0, 20),
    maxKeptEvents: count('maxKeptEvents', 0, 1_000),
    shutdownTimeoutSeconds: seconds('shutdownTimeoutSeconds', 10),
    maxParallelTasks,
    maxParallelTasksPerAgent,
    runningStatus,
    lang,
  });
}

function atLeast(least: number, name: string, value: number): number {
  if (typeof value === 'number' && value >= least) return value;
  throw new WorkflowArgumentError(`${name} of WorkflowModule.forRoot() must be at least ${least}`);
}

function whole(name: string, value: number): number {
  if (Number.isInteger(value)) return value;
  throw new WorkflowArgumentError(`${name} of WorkflowModule.forRoot() must be a whole number`);
}
