import { SafeClientHttp, type TlsContext } from 'nestjs-a2a/client';
import type { AgentAuthenticator } from './agent-authenticator.js';
import type { AuthProvider } from './auth-provider.js';
import { CardAuthenticator } from './card.authenticator.js';
import { type CredentialsSettings, readCredentials } from './credentials-config.js';

/** What says how agents are called. */
export interface AuthenticatorSettings extends CredentialsSettings {
  readonly authProvider: AuthProvider | null;
  readonly clientCertPath: string | null;
}

/**
 * Authenticates as the settings say. Files are read now.
 *
 * @param tls for logins; asked for only when there are credentials
 * @throws WorkflowArgumentError, SecurityException when credentials cannot be read
 */
export function createAuthenticator(settings: AuthenticatorSettings, tls: () => TlsContext): AgentAuthenticator {
  const credentials = readCredentials(settings);
  return new CardAuthenticator({
    provider: settings.authProvider,
    credentials,
    // Where to log in is said by the host, not by a card: it may be anywhere.
    http: new SafeClientHttp({ network: 'any', ...(credentials !== null && { tls: tls() }) }),
    hasClientCertificate: settings.clientCertPath !== null,
  });
}
