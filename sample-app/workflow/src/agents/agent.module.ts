import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { A2AModule, type AgentCardInput, type AgentExecutor } from 'nestjs-a2a';
import { Network } from '../network/network.js';
import { FAULT_CARD, FIELD_CARD, RESOURCE_CARD } from './agent-cards.js';
import { FaultAgent } from './fault-agent.executor.js';
import { FieldAgent } from './field-agent.executor.js';
import { ResourceAgent } from './resource-agent.executor.js';

/** One agent as an app. */
@Module({})
export class AgentModule {
  /** The three agents of the sample, in one world. */
  static all(network: Network): DynamicModule[] {
    return [
      AgentModule.of(FAULT_CARD, FaultAgent, network),
      AgentModule.of(RESOURCE_CARD, ResourceAgent, network),
      AgentModule.of(FIELD_CARD, FieldAgent, network),
    ];
  }

  private static of(agentCard: AgentCardInput, executor: Type<AgentExecutor>, network: Network): DynamicModule {
    const providers = [{ provide: Network, useValue: network }];
    return { module: AgentModule, imports: [A2AModule.forRoot({ agentCard, executor, providers })] };
  }
}
