import { HttpException } from '@nestjs/common';
import { UnauthenticatedError } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { checkedUser } from '../authorization/user-check.js';
import type { AuthenticationRequest, AuthenticationScheme } from './authentication-scheme.js';
import { lackingScopes, type Alternative } from './requirement-plan.js';

/** What one scheme makes of a request. */
export type SchemeVerdict =
  | { readonly kind: 'absent' }
  | { readonly kind: 'user'; readonly user: A2AUser }
  | { readonly kind: 'refused'; readonly error: UnauthenticatedError }
  /** The scheme could not decide. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Scopes that kept an alternative from being met. */
export interface MissingScopes {
  readonly scheme: AuthenticationScheme;
  readonly scopes: readonly string[];
}

/** One request held against schemes and alternatives; each scheme is asked once at most. */
export class LoginAttempt {
  private readonly verdicts = new Map<AuthenticationScheme, SchemeVerdict>();
  private missing: MissingScopes | undefined;

  constructor(private readonly request: AuthenticationRequest) {}

  /** Whether what our schemes have to say speaks for an alternative; the rest of it may be the host's to say. */
  async meets({ own }: Alternative): Promise<boolean> {
    let met = true;
    for (const { scheme, scopes } of own) {
      const verdict = await this.verdictOf(scheme);
      if (verdict.kind !== 'user') return false;
      const lacking = lackingScopes(verdict.user, scopes);
      if (lacking.length > 0) {
        this.missing ??= { scheme, scopes };
        met = false;
      }
    }
    return met;
  }

  /** The caller by an alternative that is met; `undefined` when no scheme of ours has a say in it. */
  callerBy({ own: [first] }: Alternative): A2AUser | undefined {
    const verdict = first && this.verdicts.get(first.scheme);
    return verdict?.kind === 'user' ? verdict.user : undefined;
  }

  get missingScopes(): MissingScopes | undefined {
    return this.missing;
  }

  /** The first scheme that could not decide. */
  get failure(): { readonly error: unknown } | undefined {
    return [...this.verdicts.values()].find((verdict) => verdict.kind === 'failed');
  }

  /** The schemes that refused what they were given. */
  get refusals(): [AuthenticationScheme, UnauthenticatedError][] {
    return [...this.verdicts].flatMap(([scheme, verdict]) =>
      verdict.kind === 'refused' ? [[scheme, verdict.error] satisfies [unknown, unknown]] : [],
    );
  }

  private async verdictOf(scheme: AuthenticationScheme): Promise<SchemeVerdict> {
    const known = this.verdicts.get(scheme);
    if (known !== undefined) return known;
    const verdict = await ask(scheme, this.request);
    this.verdicts.set(scheme, verdict);
    return verdict;
  }
}

async function ask(scheme: AuthenticationScheme, request: AuthenticationRequest): Promise<SchemeVerdict> {
  try {
    const found = await scheme.authenticate(request);
    if (!found) return { kind: 'absent' };
    const source = `The scheme ${scheme.name}`;
    const user = checkedUser(found, source);
    if (!user.authenticated) throw new Error(`${source} gave a user who is not authenticated`);
    return { kind: 'user', user };
  } catch (error) {
    if (error instanceof UnauthenticatedError) return { kind: 'refused', error };
    // What a function of the host's may throw out of habit.
    if (error instanceof HttpException && error.getStatus() === 401) {
      return { kind: 'refused', error: new UnauthenticatedError(undefined, { cause: error }) };
    }
    return { kind: 'failed', error };
  }
}
