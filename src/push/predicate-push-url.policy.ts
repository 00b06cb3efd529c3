import type { PushUrlValidator } from './push.options.js';
import { PushUrlPolicy } from './push-url.policy.js';

/** Leaves everything to the host's `pushUrlValidator`. */
export class PredicatePushUrlPolicy extends PushUrlPolicy {
  constructor(private readonly isAllowed: PushUrlValidator) {
    super();
  }

  override mayRegister(url: string): boolean | Promise<boolean> {
    return this.isAllowed(url);
  }

  override mayDeliver(url: string): boolean | Promise<boolean> {
    return this.isAllowed(url);
  }

  override mayConnect(): boolean {
    return true;
  }
}
