import type { SecurityRequirement } from 'nestjs-a2a/protocol';
import { ResourceExhaustedError, UnauthenticatedError } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import { rememberCaller } from '../authorization/request-caller.js';
import type { CallAdmission } from '../http/call-admission.js';
import type { CallerAddress } from '../http/caller-address.js';
import type { AuthenticationRequest, AuthenticationScheme } from './authentication-scheme.js';
import { joinChallenges } from './challenge.js';
import type { FailedLoginsLimit } from './failed-logins.limit.js';
import type { FailedLoginsLog } from './failed-logins.log.js';
import { InsufficientScopeError } from './insufficient-scope.error.js';
import { LoginAttempt } from './login-attempt.js';
import { refusalReasonOf } from './refused-credentials.js';
import { alternativesOf, lackingScopes, type Alternative } from './requirement-plan.js';

/** What checking requests needs of its agent. */
export interface AuthenticatorServices {
  readonly schemes: readonly AuthenticationScheme[];
  /** The card's; they are known once the card is read. */
  requirements(): readonly SecurityRequirement[];
  /** Challenges of the schemes that the host's guards check. */
  hostChallenges(): readonly (string | undefined)[];
  /** What schemes may see of a framework's request. */
  view(request: object): AuthenticationRequest;
  addressOf(request: object): CallerAddress;
  readonly log: FailedLoginsLog;
  /** Absent: failed logins are not limited. */
  readonly limit: FailedLoginsLimit | undefined;
  /** Told once, when the limit cannot work. */
  limitIdle(): void;
}

/** What is left to see once the host's guards have spoken. */
interface Undecided {
  readonly byHost: readonly Alternative[];
  readonly attempt: LoginAttempt;
}

type Outcome = { readonly kind: 'decided' } | ({ readonly kind: 'undecided' } & Undecided);

const DECIDED: Outcome = { kind: 'decided' };

/**
 * Holds requests against the card's security requirements: schemes of ours decide at once, before the host's own
 * guards; what the card leaves to those is decided when they have spoken.
 */
export class RequestAuthenticator implements CallAdmission {
  private readonly outcomes = new WeakMap<object, Outcome>();
  private plan: readonly Alternative[] | undefined;
  private saidIdle = false;

  constructor(private readonly services: AuthenticatorServices) {}

  get open(): boolean {
    return this.alternatives.length === 0;
  }

  get challenge(): string | undefined {
    const own = this.alternatives.flatMap((alternative) => alternative.own.map(({ scheme }) => scheme.challenge()));
    return joinChallenges([...own, ...this.services.hostChallenges()]);
  }

  async admit(request: object): Promise<void> {
    if (this.open || this.outcomes.has(request)) return;
    this.checkLimit(request);
    const attempt = new LoginAttempt(this.services.view(request));
    const { met, byHost } = await this.held(attempt);
    // Who guesses may do so many times at once: what came in before the limit was reached must not get round it.
    this.checkLimit(request);
    if (met !== undefined) {
      const caller = attempt.callerBy(met);
      if (caller !== undefined) rememberCaller(request, caller);
      this.outcomes.set(request, DECIDED);
      return;
    }
    // Whom the host knows is not known yet, so that nothing is said of the others either.
    if (byHost.length === 0) this.decideWithout(request, attempt);
    this.outcomes.set(request, byHost.length === 0 ? DECIDED : { kind: 'undecided', byHost, attempt });
  }

  /** The first alternative that is met; without one, those that are the host's to decide. */
  private async held(attempt: LoginAttempt): Promise<{ met?: Alternative; byHost: Alternative[] }> {
    const byHost: Alternative[] = [];
    for (const alternative of this.alternatives) {
      if (isAnonymous(alternative) || !(await attempt.meets(alternative))) continue;
      if (!alternative.byHost) return { met: alternative, byHost };
      byHost.push(alternative);
    }
    return { byHost };
  }

  confirm(request: object, user: A2AUser): void {
    const outcome = this.outcomes.get(request);
    if (outcome?.kind !== 'undecided') return;
    this.outcomes.set(request, DECIDED);
    if (!user.authenticated) return this.decideWithout(request, outcome.attempt);
    // Guards that know no scopes have looked at them themselves, or nobody does.
    const lacking = outcome.byHost.map(({ hostScopes }) => (user.scopes ? lackingScopes(user, hostScopes) : []));
    const [missing] = lacking;
    if (missing !== undefined && lacking.every((scopes) => scopes.length > 0)) {
      throw new InsufficientScopeError(missing, true);
    }
  }

  refused(request: object): void {
    const outcome = this.outcomes.get(request);
    if (outcome?.kind !== 'undecided') return;
    this.outcomes.set(request, DECIDED);
    const { refusals } = outcome.attempt;
    if (refusals.length > 0) this.noteFailure(request, refusals);
  }

  /** No alternative was met: says why, unless the card lets strangers in. Who tried and failed is no stranger. */
  private decideWithout(request: object, attempt: LoginAttempt): void {
    const { failure, missingScopes, refusals } = attempt;
    if (failure !== undefined) throw failure.error;
    if (missingScopes !== undefined) {
      const { scheme, scopes } = missingScopes;
      throw new InsufficientScopeError(scopes, scheme.challenge()?.startsWith('Bearer') === true);
    }
    if (refusals.length > 0) throw this.refuse(request, refusals);
    if (!this.alternatives.some(isAnonymous)) throw new UnauthenticatedError(this.challenge);
  }

  private refuse(request: object, refusals: LoginAttempt['refusals']): UnauthenticatedError {
    this.noteFailure(request, refusals);
    return new UnauthenticatedError(
      joinChallenges(refusals.map(([scheme, error]) => error.challenge ?? scheme.challenge())) ?? this.challenge,
    );
  }

  private noteFailure(request: object, refusals: LoginAttempt['refusals']): void {
    const { address, proxyTrust } = this.services.addressOf(request);
    if (proxyTrust) this.services.limit?.count(address);
    const schemes = refusals.map(([{ name }, error]) => ({ name, reason: refusalReasonOf(error) }));
    this.services.log.note({ address, schemes });
  }

  private checkLimit(request: object): void {
    const { limit } = this.services;
    if (limit === undefined) return;
    const { address, proxyTrust } = this.services.addressOf(request);
    if (!proxyTrust) {
      // Everybody behind a proxy would be one address, and one of them could lock the others out.
      if (!this.saidIdle) this.services.limitIdle();
      this.saidIdle = true;
      return;
    }
    const seconds = limit.waitOf(address);
    if (seconds > 0) throw new ResourceExhaustedError('Too many failed logins', seconds);
  }

  private get alternatives(): readonly Alternative[] {
    return (this.plan ??= alternativesOf(this.services.requirements(), this.services.schemes));
  }
}

function isAnonymous({ own, byHost }: Alternative): boolean {
  return own.length === 0 && !byHost;
}
