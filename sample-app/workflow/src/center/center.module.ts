import { Module, type DynamicModule } from '@nestjs/common';
import { AgentCardSource, WorkflowModule } from 'nestjs-a2a/workflow';
import { DiscoveredAgents } from './discovered-agents.js';
import { RepairDecisions } from './repair-decisions.js';
import { RepairPolicy } from './repair-policy.js';

/** The app that runs workflows. */
@Module({})
export class CenterModule {
  /** @param agents their URLs */
  static with(agents: readonly string[]): DynamicModule {
    return {
      module: CenterModule,
      imports: [
        WorkflowModule.forRoot({
          client: { sendTimeoutSeconds: 60, taskPollIntervalMillis: 500 },
          providers: [{ provide: AgentCardSource, useFactory: () => new DiscoveredAgents(agents) }],
        }),
        WorkflowModule.forFeature({ controlPoints: [RepairDecisions], providers: [RepairPolicy] }),
      ],
    };
  }
}
