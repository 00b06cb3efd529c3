import { Module } from '@nestjs/common';
import { A2AModule } from 'nestjs-a2a';
import { InboxModule } from './inbox/inbox.module.js';
import { TABLE_ANALYST_CARD } from './table-analyst.card.js';
import { TableAnalyst } from './table-analyst.executor.js';

const MIB = 1024 * 1024;

/** Notifications go to this machine only when one wants to see them arrive here. */
const INBOX_TOKEN = process.env.INBOX_TOKEN ?? '';
const TO_THIS_MACHINE = { hosts: ['localhost'], cidrs: ['127.0.0.1/32', '::1/128'], allowHttp: true };

/** The agent on the network; everything that is not about tables comes from the library. */
@Module({
  imports: [
    A2AModule.forRoot({
      agentCard: TABLE_ANALYST_CARD,
      executor: TableAnalyst,
      // 50 MB of table are 67 MB in base64, plus the envelope.
      maxRequestBytes: 80 * MIB,
      maxTaskBytes: 160 * MIB,
      // Each run may hold one such request, so only a few go on at once and few wait.
      executorMaxSize: 8,
      executorQueueCapacity: 64,
      push: INBOX_TOKEN === '' ? {} : { allow: TO_THIS_MACHINE },
    }),
    ...(INBOX_TOKEN === '' ? [] : [InboxModule.with(INBOX_TOKEN)]),
  ],
})
export class AppModule {}
