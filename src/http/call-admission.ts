import type { A2AUser } from '../authorization/a2a-user.js';

/** Decides whether a request may come in at all, by what the card demands of callers. */
export interface CallAdmission {
  /** The card demands nothing. */
  readonly open: boolean;
  /** Value for `WWW-Authenticate` where nothing better is known. */
  readonly challenge: string | undefined;
  /** Checks what can be checked before the host's guards; a second time for a request does nothing. */
  admit(request: object): Promise<void>;
  /** Checks the rest, once it is known who calls. @throws A2AError */
  confirm(request: object, user: A2AUser): void;
  /** Told when the host's guards know nobody either: credentials that we refused have failed by that. */
  refused(request: object): void;
}
