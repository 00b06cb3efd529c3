import type { Awaitable } from '../awaitable.js';
import { SecurityException } from '../errors/workflow.error.js';
import { isBlank } from '../model/blank.js';

/**
 * Authenticates requests to a registry or an orchestration center.
 *
 * @publicApi
 */
export abstract class HttpAuthProvider {
  /**
   * Headers of one request; asked anew for each.
   *
   * @param uri that is asked for: give nothing to others than you mean
   * @param signal aborted when the request is given up
   * @throws whatever keeps the request from being made
   */
  abstract headersFor(uri: URL, signal?: AbortSignal): Awaitable<Readonly<Record<string, string>>>;

  /**
   * Is told that the headers were refused with 401. Called once at most for each reading call of `LoadPsop`.
   *
   * @param rejectedHeaders that this provider gave
   * @returns true when it has others by now, so that the request is worth repeating. Default: false
   */
  onUnauthorized(_uri: URL, _rejectedHeaders: Readonly<Record<string, string>>): Awaitable<boolean> {
    return false;
  }

  /**
   * `Authorization: Bearer <token>`.
   *
   * @param supplier asked before every request; nothing it gives is kept. A blank token keeps the request from being made
   */
  static bearer(supplier: () => Awaitable<string>): HttpAuthProvider {
    return new SuppliedBearer(supplier);
  }
}

class SuppliedBearer extends HttpAuthProvider {
  constructor(private readonly supplier: () => Awaitable<string>) {
    super();
  }

  async headersFor(): Promise<Readonly<Record<string, string>>> {
    const token = await this.supplier();
    // To go on without would be to go on as nobody.
    if (isBlank(token)) throw new SecurityException('The supplier of the bearer token gave none');
    return bearerHeaders(token);
  }
}

export function bearerHeaders(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token.trim()}` };
}
