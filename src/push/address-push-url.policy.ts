import { AddressPolicy, ForbiddenTargetError, type AddressPolicyOptions } from 'nestjs-a2a/net';
import type { PushAllowOptions } from './push.options.js';
import { PushUrlPolicy } from './push-url.policy.js';

/**
 * The default: receivers on the public internet over https, and what the options list.
 *
 * @publicApi
 */
export class AddressPushUrlPolicy extends PushUrlPolicy {
  private readonly policy: AddressPolicy;

  /** @throws TypeError when a host, a range or a port is none */
  constructor(allow: PushAllowOptions = {}) {
    super();
    this.policy = new AddressPolicy(allow satisfies AddressPolicyOptions);
  }

  override mayRegister(url: string): boolean {
    return URL.canParse(url) && passes(() => this.policy.checkUrl(new URL(url)));
  }

  override mayDeliver(url: string): boolean {
    return this.mayRegister(url);
  }

  override mayConnect(address: string, url: string): boolean {
    return passes(() => this.policy.checkAddress(address, new URL(url)));
  }
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof ForbiddenTargetError) return false;
    throw error;
  }
}
