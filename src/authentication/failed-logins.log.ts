import type { LoggerService } from '@nestjs/common';

const MAX_LINES = 10;
const WINDOW_MS = 60_000;

/** What is known of a login that failed, without what was sent. */
export interface FailedLogin {
  readonly address: string;
  readonly schemes: readonly { readonly name: string; readonly reason: string }[];
}

/** Writes failed logins to the log, a few a minute: who guesses keys must not fill the disk. */
export class FailedLoginsLog {
  private windowEnd = Number.NEGATIVE_INFINITY;
  private lines = 0;
  private unsaid = 0;

  constructor(
    private readonly logger: Pick<LoggerService, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note({ address, schemes }: FailedLogin): void {
    const now = this.now();
    if (now >= this.windowEnd) {
      if (this.unsaid > 0) this.logger.warn(`${this.unsaid} more failed logins were not written here`);
      this.windowEnd = now + WINDOW_MS;
      this.lines = 0;
      this.unsaid = 0;
    }
    if (this.lines === MAX_LINES) {
      this.unsaid++;
      return;
    }
    this.lines++;
    const how = schemes.map(({ name, reason }) => `${name} (${reason})`).join(', ');
    this.logger.warn(`Failed login from ${printableAddress(address)}: ${how}`);
  }
}

/** A trusted proxy may pass on whatever its caller says. */
function printableAddress(address: string): string {
  return address.replace(/[^\w.:%-]/g, '').slice(0, 64);
}
