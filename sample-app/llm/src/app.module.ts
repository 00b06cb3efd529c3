import { Module, type DynamicModule } from '@nestjs/common';
import type { LanguageModel } from 'ai';
import { A2AModule } from 'nestjs-a2a';
import { CHAT_AGENT_CARD } from './chat-agent.card.js';
import { ChatAgent, LANGUAGE_MODEL } from './chat-agent.executor.js';

/** The agent on the network, with a model. */
@Module({})
export class AppModule {
  static with(model: LanguageModel): DynamicModule {
    return {
      module: AppModule,
      imports: [
        A2AModule.forRoot({
          agentCard: CHAT_AGENT_CARD,
          executor: ChatAgent,
          providers: [{ provide: LANGUAGE_MODEL, useValue: model }],
          // Nobody waits for a model that has hung.
          maxRunSeconds: 300,
        }),
      ],
    };
  }
}
