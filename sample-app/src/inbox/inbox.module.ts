import { Module, type DynamicModule } from '@nestjs/common';
import { A2APushReceiverModule } from 'nestjs-a2a';
import { InboxController } from './inbox.controller.js';
import { Inbox } from './inbox.js';

/** Receives notifications, to try them out. */
@Module({ controllers: [InboxController], providers: [Inbox] })
export class InboxModule {
  /** @param token what the agent is to show with each notification */
  static with(token: string): DynamicModule {
    return { module: InboxModule, imports: [A2APushReceiverModule.register({ token })] };
  }
}
