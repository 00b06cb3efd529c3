import { RecentNames } from './recent-names.js';

/** How many receivers of either repute are remembered while nothing waits for them. */
const REMEMBERED = 4_096;

/** What is known of a receiver: whether its last request gave its slot back soon. */
type Repute = 'unknown' | 'quick' | 'slow';

interface Origin<T> {
  readonly name: string;
  readonly waiting: Set<T>;
  active: number;
  repute: Repute;
}

/**
 * The slots that deliveries take, shared out among receivers in turn. One that is slow, or not known yet, gets a
 * quarter of the slots; all slow ones together get half of them, and a quarter is left to the quick ones whatever
 * comes: receivers that hang, however many names they have, do not hold up the others.
 */
export class DeliverySlots<T> {
  private readonly origins = new Map<string, Origin<T>>();
  // Those with something that waits, in the order of their turns.
  private readonly turns: Readonly<Record<Repute, Set<Origin<T>>>> = {
    unknown: new Set(),
    quick: new Set(),
    slow: new Set(),
  };
  // A receiver that waits for its next attempt is idle as well, and no stranger for that.
  private readonly remembered = { quick: new RecentNames(REMEMBERED), slow: new RecentNames(REMEMBERED) };
  private readonly active: Record<Repute, number> = { unknown: 0, quick: 0, slow: 0 };
  private readonly quarter: number;
  private readonly half: number;
  /** What is not kept for quick ones. */
  private readonly open: number;

  /** @param start begins what has its slot; it is given back with {@link release}, in a later turn */
  constructor(
    private readonly size: number,
    private readonly start: (job: T) => void,
  ) {
    this.quarter = Math.max(1, Math.floor(size / 4));
    this.half = Math.max(1, Math.floor(size / 2));
    this.open = Math.max(1, size - this.quarter);
  }

  /** Slots that are taken. */
  get taken(): number {
    const { unknown, quick, slow } = this.active;
    return unknown + quick + slow;
  }

  /** A job waits for its slot; twice is once. */
  request(name: string, job: T): void {
    let origin = this.origins.get(name);
    if (origin === undefined) {
      origin = { name, waiting: new Set(), active: 0, repute: this.reputeOf(name) };
      this.origins.set(name, origin);
    }
    origin.waiting.add(job);
    this.turns[origin.repute].add(origin);
    this.pump();
  }

  /** A job that waits needs no slot any more. */
  withdraw(name: string, job: T): void {
    const origin = this.origins.get(name);
    if (origin === undefined) return;
    origin.waiting.delete(job);
    this.tidy(origin);
  }

  /** @param quick whether the receiver gave the slot back soon; undefined when nothing was learnt about it */
  release(name: string, quick: boolean | undefined): void {
    const origin = this.origins.get(name);
    if (origin === undefined) return;
    origin.active--;
    this.active[origin.repute]--;
    if (quick !== undefined) this.learn(origin, quick ? 'quick' : 'slow');
    this.tidy(origin);
    this.pump();
  }

  private learn(origin: Origin<T>, repute: Repute): void {
    if (origin.repute === repute) return;
    this.turns[origin.repute].delete(origin);
    this.active[origin.repute] -= origin.active;
    this.active[repute] += origin.active;
    origin.repute = repute;
    if (origin.waiting.size > 0) this.turns[repute].add(origin);
  }

  private pump(): void {
    while (this.taken < this.size) {
      const origin = this.next();
      if (origin === undefined) return;
      this.turns[origin.repute].delete(origin);
      this.take(origin);
      if (origin.waiting.size > 0) this.turns[origin.repute].add(origin);
    }
  }

  private next(): Origin<T> | undefined {
    const [quick] = this.turns.quick;
    const { unknown, slow } = this.active;
    if (unknown + slow >= this.open) return quick;
    return this.withRoom('unknown') ?? (slow < this.half ? this.withRoom('slow') : undefined) ?? quick;
  }

  /** Only those with requests under way are passed over, and these are few. */
  private withRoom(repute: Repute): Origin<T> | undefined {
    for (const origin of this.turns[repute]) if (origin.active < this.quarter) return origin;
    return undefined;
  }

  private take(origin: Origin<T>): void {
    const [job] = origin.waiting;
    if (job === undefined) return;
    origin.waiting.delete(job);
    origin.active++;
    this.active[origin.repute]++;
    this.start(job);
  }

  private tidy(origin: Origin<T>): void {
    if (origin.waiting.size > 0) return;
    this.turns[origin.repute].delete(origin);
    if (origin.active > 0) return;
    this.origins.delete(origin.name);
    this.remember(origin);
  }

  private reputeOf(name: string): Repute {
    if (this.remembered.slow.has(name)) return 'slow';
    return this.remembered.quick.has(name) ? 'quick' : 'unknown';
  }

  private remember({ name, repute }: Origin<T>): void {
    if (repute === 'unknown') return;
    this.remembered[repute].add(name);
    this.remembered[repute === 'slow' ? 'quick' : 'slow'].delete(name);
  }
}
