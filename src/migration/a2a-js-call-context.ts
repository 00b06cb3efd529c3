import type { ServerCallContext } from '../agent/server-call-context.js';

const HEADERS = 'headers';

/** The call as executors of `@a2a-js/sdk` see it; the lines differ only in how much of it they know. */
export class A2AJsCallContext {
  constructor(private readonly call: ServerCallContext) {}

  get user(): { readonly isAuthenticated: boolean; readonly userName: string } {
    return { isAuthenticated: this.call.user.authenticated, userName: this.call.user.id };
  }

  get tenant(): string | undefined {
    return this.call.tenant === '' ? undefined : this.call.tenant;
  }

  get requestedVersion(): string {
    return this.call.protocolVersion;
  }

  get requestedExtensions(): string[] {
    return [...this.call.requestedExtensions];
  }

  get activatedExtensions(): string[] {
    return [...this.call.activatedExtensions];
  }

  /** The state of our call, with the headers where they look for them. */
  get state(): Map<string, unknown> {
    const { state } = this.call;
    if (!state.has(HEADERS)) state.set(HEADERS, this.call.headers);
    return state;
  }

  addActivatedExtension(uri: string): void {
    this.call.activateExtension(uri);
  }
}
