/** What an order keeps in its items; it alone may change it. */
export interface Ordered<T extends Ordered<T>> {
  order: ChannelOrder<T> | undefined;
  previous: T | undefined;
  following: T | undefined;
}

/**
 * Channels in the order in which they came. Linked through the channels themselves, since a Set that loses its first
 * item again and again has to walk over the places of all that are gone.
 */
export class ChannelOrder<T extends Ordered<T>> {
  private head: T | undefined;
  private tail: T | undefined;

  get first(): T | undefined {
    return this.head;
  }

  /** Puts a channel at the end; one that is in this order already stays where it is. */
  add(channel: T): void {
    if (channel.order === this) return;
    channel.order?.delete(channel);
    channel.order = this;
    channel.previous = this.tail;
    if (this.tail) this.tail.following = channel;
    else this.head = channel;
    this.tail = channel;
  }

  /** Does nothing when the channel is in another order, or in none. */
  delete(channel: T): void {
    if (channel.order !== this) return;
    const { previous, following } = channel;
    if (previous) previous.following = following;
    else this.head = following;
    if (following) following.previous = previous;
    else this.tail = previous;
    channel.order = undefined;
    channel.previous = undefined;
    channel.following = undefined;
  }
}
