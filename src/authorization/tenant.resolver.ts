import type { A2AUser } from './a2a-user.js';

/**
 * Decides which tenants a caller may name. The class is its own injection token; by default any may be named.
 *
 * @publicApi
 */
export abstract class TenantResolver {
  /** @param tenant the tenant that the call names, `''` when it names none */
  abstract mayUse(user: A2AUser, tenant: string): boolean | Promise<boolean>;
}

/** The default: every tenant. */
export class AnyTenantResolver extends TenantResolver {
  override mayUse(): boolean {
    return true;
  }
}
