import { privateCopy } from '../agent/private-copy.js';
import { ResourceExhaustedError, type Message } from 'nestjs-a2a/protocol';

const MAX_UNREAD = 256;

/** A message that the agent has not read. */
export interface UnreadMessage<Launch> {
  readonly message: Message;
  /** Starts a run of its own for it. Kept here, so that it is forgotten once the message is read. */
  readonly launch: Launch;
}

/** The follow-up messages of a live run, until its agent reads them. */
export class MessageMailbox<Launch> implements AsyncIterable<Message> {
  private readonly unread: UnreadMessage<Launch>[] = [];
  private wake: (() => void) | undefined;
  private closed = false;
  private interrupted = false;

  /** @throws ResourceExhaustedError when the agent leaves so many unread that no other fits */
  reserve(): void {
    if (this.unread.length >= MAX_UNREAD) {
      throw new ResourceExhaustedError(`${MAX_UNREAD} messages to this task are unread: try again later`, 1);
    }
  }

  push(unread: UnreadMessage<Launch>): void {
    if (this.closed) return;
    this.unread.push(unread);
    this.wake?.();
  }

  /** Takes away what the agent has left unread. */
  takeUnread(): UnreadMessage<Launch>[] {
    return this.unread.splice(0);
  }

  /** Ends the iteration once what is unread was read. */
  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** Ends the iteration at once: the run is to stop, and what is unread is no longer its business. */
  interrupt(): void {
    this.interrupted = true;
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Message, void, undefined> {
    while (!this.interrupted) {
      const next = this.unread.shift();
      if (next !== undefined) {
        yield privateCopy(next.message);
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
