import type { FactoryProvider, LoggerService, Provider, Type } from '@nestjs/common';
import { A2A_LOGGER, A2A_SCHEMES, A2A_SETTINGS } from '../a2a.constants.js';
import type { AuthenticationEntry } from '../a2a.extras.js';
import { failedLoginsUnlimitedMessage } from '../a2a.messages.js';
import type { A2ASettings } from '../a2a.options.js';
import { AuthenticationScheme } from '../authentication/authentication-scheme.js';
import { challengeFor } from '../authentication/challenge.js';
import { FailedLoginsLimit } from '../authentication/failed-logins.limit.js';
import { FailedLoginsLog } from '../authentication/failed-logins.log.js';
import { RequestAuthenticator } from '../authentication/request-authenticator.js';
import { A2AConfigurationError } from '../config/a2a-configuration.error.js';
import { authenticationViewOf } from '../http/authentication-view.js';
import { callerAddressOf } from '../http/caller-address.js';
import { AgentCardService } from '../http/card/agent-card.service.js';

/** The schemes of one agent, and what checks requests by them. */
export function authenticationProviders(entries: readonly AuthenticationEntry[]): (Provider & { provide: unknown })[] {
  const schemes = entries.map((entry, index) => schemeProvider(entry, Symbol(`nestjs-a2a.scheme-${index}`)));
  return [...schemes, listProvider(schemes.map(({ provide }) => provide)), authenticatorProvider()];
}

type SchemeProvider = Exclude<Provider, Type>;

function schemeProvider(entry: AuthenticationEntry, provide: symbol): SchemeProvider {
  if (typeof entry === 'function') return { provide, useClass: entry };
  if (isScheme(entry)) return { provide, useValue: entry };
  // A variable may be there without the scheme that it ought to hold: then the list below says so.
  return typeof entry === 'object' && entry !== null ? { provide, ...entry } : { provide, useValue: entry };
}

/** By its shape: the other build of this package has another class. */
function isScheme(entry: unknown): entry is AuthenticationScheme {
  if (typeof entry !== 'object' || entry === null) return false;
  return entry instanceof AuthenticationScheme || ('authenticate' in entry && 'definition' in entry);
}

function listProvider(inject: SchemeProvider['provide'][]): FactoryProvider<AuthenticationScheme[]> {
  return { provide: A2A_SCHEMES, inject, useFactory: (...schemes: AuthenticationScheme[]) => checked(schemes) };
}

function checked(schemes: AuthenticationScheme[]): AuthenticationScheme[] {
  const names = new Set<string>();
  for (const scheme of schemes) {
    if (!isScheme(scheme)) {
      throw new A2AConfigurationError([{ option: 'authentication', description: 'an entry of it is not a scheme' }]);
    }
    const { name } = scheme;
    if (!names.has(name)) names.add(name);
    else {
      const description = 'is the name of two schemes: give one of them another, with the option name';
      throw new A2AConfigurationError([{ option: `authentication.${name}`, description }]);
    }
  }
  return schemes;
}

function authenticatorProvider(): FactoryProvider<RequestAuthenticator> {
  return {
    provide: RequestAuthenticator,
    inject: [A2A_SETTINGS, A2A_LOGGER, A2A_SCHEMES, AgentCardService],
    useFactory: (
      { maxFailedLogins }: A2ASettings,
      logger: LoggerService,
      schemes: AuthenticationScheme[],
      cards: AgentCardService,
    ) =>
      new RequestAuthenticator({
        schemes,
        requirements: () => cards.securityRequirements,
        hostChallenges: () => hostChallenges(cards, schemes),
        view: authenticationViewOf,
        addressOf: callerAddressOf,
        log: new FailedLoginsLog(logger),
        limit: maxFailedLogins > 0 ? new FailedLoginsLimit(maxFailedLogins) : undefined,
        limitIdle: () => logger.warn(failedLoginsUnlimitedMessage()),
      }),
  };
}

function hostChallenges(cards: AgentCardService, schemes: readonly AuthenticationScheme[]): (string | undefined)[] {
  const own = new Set(schemes.map(({ name }) => name));
  const needed = new Set(cards.securityRequirements.flatMap((requirement) => Object.keys(requirement.schemes)));
  return Object.entries(cards.securitySchemes).flatMap(([name, definition]) =>
    needed.has(name) && !own.has(name) ? [challengeFor(definition)] : [],
  );
}
