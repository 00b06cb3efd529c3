import { Observable, Subscription, type Observer, type Operator, type Subscriber, type TeardownLogic } from 'rxjs';

/**
 * An Observable whose subscribers cannot harm the process. RxJS throws what a subscriber's `next` throws from a timer,
 * where nobody can catch it. Here it ends that one subscription: its `error` handler is told, or, without one, `report`.
 * The same holds behind operators.
 */
export class GuardedObservable<T> extends Observable<T> {
  constructor(
    private readonly report: (error: unknown) => void,
    subscribe?: (this: Observable<T>, subscriber: Subscriber<T>) => TeardownLogic,
  ) {
    super(subscribe);
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(this.report);
    lifted.source = this;
    lifted.operator = operator;
    return lifted;
  }

  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // Operators subscribe with a Subscriber, or a Subject is given: they pass errors on by themselves.
    if (typeof observerOrNext === 'object' && observerOrNext && 'unsubscribe' in observerOrNext) {
      return super.subscribe(observerOrNext);
    }
    const observer: Partial<Observer<T>> =
      typeof observerOrNext === 'object' && observerOrNext
        ? observerOrNext
        : { next: observerOrNext ?? undefined, error: error ?? undefined, complete: complete ?? undefined };
    return this.subscribeGuarded(observer);
  }

  private subscribeGuarded(observer: Partial<Observer<T>>): Subscription {
    // Exists before the subscription does: a subscriber may throw while `subscribe` still replays.
    const subscription = new Subscription();
    const fail = (error: unknown): void => {
      const left = subscription.closed;
      subscription.unsubscribe();
      if (left || !observer.error) return this.report(error);
      try {
        observer.error(error);
      } catch (second) {
        this.report(second);
      }
    };
    const inner = super.subscribe({
      next: (value) => {
        if (subscription.closed) return;
        try {
          observer.next?.(value);
        } catch (error) {
          fail(error);
        }
      },
      error: (error) => {
        if (!subscription.closed) fail(error);
      },
      complete: () => {
        if (subscription.closed) return;
        try {
          observer.complete?.();
        } catch (error) {
          this.report(error);
        }
        subscription.unsubscribe();
      },
    });
    subscription.add(inner);
    return subscription;
  }
}
