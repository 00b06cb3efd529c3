import { Module, type DynamicModule } from '@nestjs/common';
import { A2AModule } from 'nestjs-a2a';
import { A2AClientModule } from 'nestjs-a2a/client/nest';
import { FRONT_DESK_CARD } from './front-desk.card.js';
import { ANALYST, FrontDesk } from './front-desk.executor.js';

const MIB = 1024 * 1024;

/** An agent that has another one do the work. */
@Module({})
export class DelegateModule {
  /** @param analyst URL of the table analyst, which need not run yet */
  static with(analyst: string): DynamicModule {
    return {
      module: DelegateModule,
      imports: [
        // The host that the operator names, and what is public; a card cannot lead anywhere else.
        A2AClientModule.forRoot({ network: { hosts: [new URL(analyst).hostname], allowHttp: true } }),
        A2AModule.forRoot({
          agentCard: FRONT_DESK_CARD,
          executor: FrontDesk,
          maxRequestBytes: 16 * MIB,
          maxTaskBytes: 32 * MIB,
          imports: [A2AClientModule.forFeature([{ name: ANALYST, url: analyst }])],
        }),
      ],
    };
  }
}
