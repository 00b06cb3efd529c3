import { type InjectionToken, Logger, type Provider, type Type } from '@nestjs/common';
import { ModuleRef, ModulesContainer } from '@nestjs/core';
import { A2ARuntime } from '../client/a2a-runtime.js';
import { WorkflowEngineClient } from '../client/workflow-engine-client.js';
import type { ControlPoint } from '../control/control-point.js';
import { AgentAuthenticator } from '../credentials/agent-authenticator.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';
import { ExecutionJournal } from '../journal/execution-journal.js';
import { AgentCardSource, OptionAgentCards } from './agent-card.source.js';
import { ControlPoints } from './control-points.js';
import { EngineClients } from './engine-clients.js';
import { Observers } from './observers.js';
import type { NamedControlPoint, WorkflowModuleOptions } from './workflow-module.options.js';
import { WorkflowRunner } from './workflow-runner.js';
import { type WorkflowSettings, workflowSettings } from './workflow-settings.js';
import { WorkflowHealthIndicator } from './workflow.health-indicator.js';
import type { WorkflowObserver } from './workflow.observer.js';
import { getControlPointToken, WORKFLOW_OBSERVERS, WORKFLOW_OPTIONS, WORKFLOW_SETTINGS } from './workflow.tokens.js';

/** What the engine of an app is made of. */
export function engineProviders(observers: readonly Type<WorkflowObserver>[]): Provider[] {
  const optional = (token: InjectionToken) => ({ token, optional: true });
  return [
    {
      provide: WORKFLOW_SETTINGS,
      inject: [WORKFLOW_OPTIONS],
      useFactory: (options: WorkflowModuleOptions | undefined) => workflowSettings(options ?? {}),
    },
    {
      provide: AgentCardSource,
      inject: [WORKFLOW_OPTIONS],
      useFactory: (options: WorkflowModuleOptions | undefined) => new OptionAgentCards(options?.agentCards),
    },
    {
      provide: EngineClients,
      inject: [
        WORKFLOW_SETTINGS,
        AgentCardSource,
        optional(WorkflowEngineClient),
        optional(A2ARuntime),
        optional(AgentAuthenticator),
      ],
      useFactory: (
        settings: WorkflowSettings,
        source: AgentCardSource,
        client?: WorkflowEngineClient,
        runtime?: A2ARuntime,
        authenticator?: AgentAuthenticator,
      ) => new EngineClients({ settings, source, client, runtime, authenticator }),
    },
    {
      provide: ControlPoints,
      inject: [ModuleRef, ModulesContainer],
      useFactory: (modules: ModuleRef, container: ModulesContainer) => new ControlPoints(modules, container),
    },
    ...observers,
    {
      provide: WORKFLOW_OBSERVERS,
      inject: [...observers],
      useFactory: (...made: WorkflowObserver[]) => made,
    },
    {
      provide: WorkflowRunner,
      inject: [
        WORKFLOW_SETTINGS,
        EngineClients,
        ControlPoints,
        WORKFLOW_OBSERVERS,
        WORKFLOW_OPTIONS,
        optional(ExecutionJournal),
        ModulesContainer,
      ],
      useFactory: (
        settings: WorkflowSettings,
        clients: EngineClients,
        controlPoints: ControlPoints,
        made: readonly WorkflowObserver[],
        options: WorkflowModuleOptions | undefined,
        journal: ExecutionJournal | undefined,
        container: ModulesContainer,
      ) => {
        checkIsOnlyRoot(container);
        const observing = new Observers(made, new Logger('WorkflowObserver'));
        return new WorkflowRunner({
          settings,
          clients,
          controlPoints,
          observers: observing,
          journal: options?.journal ?? journal,
        });
      },
    },
    WorkflowHealthIndicator,
  ];
}

/** A control point as a provider, under its class or its name. */
export function controlPointProvider(entry: Type<ControlPoint> | NamedControlPoint): Provider {
  if (typeof entry === 'function') return entry;
  const { name, ...provider } = entry;
  if (typeof name === 'string' && !isBlank(name)) return { provide: getControlPointToken(name), ...provider };
  throw new WorkflowArgumentError('A control point in WorkflowModule.forFeature() has no name, and is no class');
}

/** Two would be two limits and two shutdowns, of which each module finds whichever Nest finds first. */
function checkIsOnlyRoot(container: ModulesContainer): void {
  const count = [...container.values()].filter(({ providers }) => providers.has(WorkflowRunner)).length;
  if (count < 2) return;
  throw new WorkflowArgumentError(
    `There are ${count} WorkflowModule.forRoot(). Keep one, in the module of the app; other modules use forFeature()`,
  );
}
