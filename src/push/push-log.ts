import type { LoggerService } from '@nestjs/common';
import { textOfThrown } from '../thrown-value.js';
import type { PushTarget } from './push-notification.js';

/** What push notifications write to the host's log. Names receivers by their origin: a path or a query may be a secret. */
export class PushLog {
  constructor(private readonly logger: LoggerService) {}

  endLost(target: PushTarget, reason: string): void {
    this.logger.warn(`${about(target)}: the end of the task could not be delivered (${reason})`);
  }

  disabled(target: PushTarget, lost: number, reason: string): void {
    this.logger.warn(`${about(target)} is disabled: ${lost} events in a row were lost (${reason})`);
  }

  overflow(target: PushTarget): void {
    this.logger.warn(`${about(target)} takes too long: updates are dropped`);
  }

  full(waiting: number): void {
    this.logger.warn(`${waiting} push notifications wait: updates are dropped, those of the slowest receivers first`);
  }

  undelivered(count: number): void {
    this.logger.warn(`${count} push notifications were not delivered before the app stopped`);
  }

  storeFailed(error: unknown): void {
    this.logger.error(`The PushNotificationConfigStore failed: ${textOfThrown(error)}`);
  }

  policyFailed(error: unknown): void {
    this.logger.error(`The PushUrlPolicy failed, the URL is refused: ${textOfThrown(error)}`);
  }
}

function about({ key, configId, origin }: PushTarget): string {
  return `Task ${key.id}: push notification config ${JSON.stringify(configId)} of ${origin}`;
}
