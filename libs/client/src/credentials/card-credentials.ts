import type { AgentCard, AgentInterface, SecurityRequirement, SecurityScheme } from 'nestjs-a2a/protocol';
import { A2AClientError } from '../client-error.js';
import type { ClientHttpAnswer } from '../http/client-http.js';
import type { Credential } from './credential.js';
import { type CredentialContext, CredentialSource, type RequestCredentials } from './credential-source.js';
import { mergeCredentials } from './merge-credentials.js';
import { describeRequirements, schemeOf } from './requirement-text.js';

/**
 * Credentials for any scheme that they fit, in order of preference; or by the names that the card gives its schemes.
 *
 * @publicApi
 */
export type CredentialList = readonly Credential[] | Readonly<Record<string, Credential>>;

/** A credential with what it is asked for. */
interface Use {
  readonly credential: Credential;
  readonly scheme?: SecurityScheme;
  readonly scopes: readonly string[];
}

/** What each credential gave for a request, so that it hears when that was refused. */
type Gifts = readonly (readonly [credential: Credential, gave: RequestCredentials])[];

/**
 * Gives a card what it asks for. Of its requirements one is enough, the first that can be fulfilled; of one requirement
 * every scheme is needed.
 *
 * @see A2A 1.0, section 4.5
 */
export class CardCredentials extends CredentialSource {
  private readonly gifts = new WeakMap<RequestCredentials, Gifts>();

  /** @param implied come after the others, and have no names */
  constructor(
    private readonly credentials: CredentialList,
    private readonly implied: readonly Credential[] = [],
  ) {
    super();
  }

  async headersFor(
    card: AgentCard | undefined,
    _interface: AgentInterface | undefined,
    context: CredentialContext,
  ): Promise<RequestCredentials> {
    const uses = this.usesFor(card);
    const gifts = await Promise.all(
      uses.map(async ({ credential, scheme, scopes }): Promise<readonly [Credential, RequestCredentials]> => {
        return [credential, await credential.headersFor({ ...context, card, scheme, scopes })];
      }),
    );
    const together = mergeCredentials(gifts.map(([, gave]) => gave));
    this.gifts.set(together, gifts);
    return together;
  }

  override rejected(_answer: Pick<ClientHttpAnswer, 'status' | 'headers'>, sent: RequestCredentials): boolean {
    // Every one is asked: nobody knows which of them it was.
    const answers = (this.gifts.get(sent) ?? []).map(([credential, gave]) => credential.rejected(gave));
    return answers.includes(true);
  }

  private usesFor(card: AgentCard | undefined): readonly Use[] {
    const requirements = card?.securityRequirements ?? [];
    if (card === undefined || requirements.length === 0) return this.unasked(card);
    const asked = requirements.filter(({ schemes }) => Object.keys(schemes).length > 0);
    for (const requirement of asked) {
      const uses = this.fulfil(card, requirement);
      if (uses) return uses;
    }
    // An empty requirement among the others: it also works without.
    if (asked.length < requirements.length) return [];
    throw this.missing(card, requirements);
  }

  private fulfil(card: AgentCard, requirement: SecurityRequirement): readonly Use[] | undefined {
    const uses = Object.entries(requirement.schemes).map(([name, { list }]): Use | undefined => {
      const scheme = schemeOf(card, name);
      const credential = scheme && this.credentialFor(name, scheme);
      return credential && { credential, scheme, scopes: list };
    });
    return uses.every((use) => use !== undefined) ? uses : undefined;
  }

  private credentialFor(name: string, scheme: SecurityScheme): Credential | undefined {
    const { credentials } = this;
    const named = !isList(credentials) && Object.hasOwn(credentials, name) ? [credentials[name]] : [];
    const candidates = [...(isList(credentials) ? credentials : named), ...this.implied];
    return candidates.find((credential) => credential?.fits(scheme));
  }

  // Who configures a credential wants it sent, also to an agent whose card does not speak of it.
  private unasked(card: AgentCard | undefined): readonly Use[] {
    for (const [name, scheme] of Object.entries(card?.securitySchemes ?? {})) {
      const credential = this.credentialFor(name, scheme);
      if (credential) return [{ credential, scheme, scopes: [] }];
    }
    const [first] = this.all();
    return first ? [{ credential: first, scopes: [] }] : [];
  }

  private all(): readonly Credential[] {
    return [...(isList(this.credentials) ? this.credentials : Object.values(this.credentials)), ...this.implied];
  }

  private missing(card: AgentCard, requirements: readonly SecurityRequirement[]): A2AClientError {
    const kinds = this.all().map(({ kind }) => kind);
    return new A2AClientError(
      'CREDENTIALS_MISSING',
      `The agent asks for ${describeRequirements(card, requirements)}. ` +
        `Configured: ${kinds.join(', ') || 'nothing'}. Add what is missing to the client's credentials`,
    );
  }
}

function isList(credentials: CredentialList): credentials is readonly Credential[] {
  return Array.isArray(credentials);
}
