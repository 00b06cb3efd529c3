import { Injectable, Logger } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { ReceivedPushNotification } from 'nestjs-a2a';

/** Where notifications arrive. */
@Injectable()
export class Inbox {
  private readonly logger = new Logger('Inbox');
  private readonly arrivals = new Subject<ReceivedPushNotification>();
  readonly notifications: Observable<ReceivedPushNotification> = this.arrivals.asObservable();

  put(notification: ReceivedPushNotification): void {
    const { taskId, sequence, event } = notification;
    const news = 'statusUpdate' in event ? event.statusUpdate.status.state : Object.keys(event).join();
    this.logger.log(`Task ${taskId}, event ${sequence}: ${news}`);
    this.arrivals.next(notification);
  }
}
