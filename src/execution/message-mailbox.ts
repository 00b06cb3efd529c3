import { ResourceExhaustedError, type Message } from 'nestjs-a2a/protocol';

const MAX_UNREAD = 256;

/** The follow-up messages of a live run, until its agent reads them. */
export class MessageMailbox implements AsyncIterable<Message> {
  private readonly unread: Message[] = [];
  private wake: (() => void) | undefined;
  private closed = false;

  /** @throws ResourceExhaustedError when the agent leaves so many unread that no other fits */
  reserve(): void {
    if (this.unread.length >= MAX_UNREAD) {
      throw new ResourceExhaustedError(`${MAX_UNREAD} messages to this task are unread: try again later`, 1);
    }
  }

  push(message: Message): void {
    if (this.closed) return;
    this.unread.push(message);
    this.wake?.();
  }

  /** Ends the iteration once what is unread was read. */
  close(): void {
    this.closed = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    for (;;) {
      const message = this.unread.shift();
      if (message !== undefined) {
        yield message;
      } else if (this.closed) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
        this.wake = undefined;
      }
    }
  }
}
