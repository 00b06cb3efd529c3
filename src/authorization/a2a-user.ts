/**
 * The caller of an operation.
 *
 * @publicApi
 */
export interface A2AUser {
  /** Stable name of the caller; `''` for anonymous. Tasks belong to it. */
  readonly id: string;
  readonly authenticated: boolean;
  /** What the host's guards, or the scheme, know about the caller, unchanged. */
  readonly claims?: unknown;
  /** What the caller was granted, where that is known; the scopes in the card's requirements are held against it. */
  readonly scopes?: readonly string[];
}

/** All callers without a name are this one. */
export const ANONYMOUS_USER: A2AUser = Object.freeze({ id: '', authenticated: false });
