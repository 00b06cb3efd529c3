import { Controller, Post } from '@nestjs/common';
import { A2APushReceiver, ReceivedPush, ReceivedPushNotification } from 'nestjs-a2a';
import { Inbox } from './inbox.js';

/** The other side of push notifications: what a client of the agent would have. */
@Controller('inbox')
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Post()
  @A2APushReceiver()
  notified(@ReceivedPush() notification: ReceivedPushNotification): void {
    this.inbox.put(notification);
  }
}
