import type { TlsContext } from 'nestjs-a2a/net';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { ApiKeyCredential } from './api-key.credential.js';
import { BearerCredential } from './bearer.credential.js';
import { CardCredentials, type CredentialList } from './card-credentials.js';
import { ClientCertificateCredential } from './client-certificate.credential.js';
import type { Credential } from './credential.js';
import { type CredentialSource, NoCredentials } from './credential-source.js';

/**
 * What a client may be given as credentials: a key, which is sent as API key or as bearer token, whichever the card asks
 * for; one credential; several; several by the names of the schemes in the card; or a source of one's own. False: none
 * are sent, and nobody asks whether a card wants some.
 *
 * @publicApi
 */
export type ClientCredentials = string | Credential | CredentialList | CredentialSource | false;

/** A key that may be either: agents of the older kind do not tell the two apart. */
class KeyAsBearer extends BearerCredential {
  override fits(scheme: SecurityScheme): boolean {
    return 'httpAuthSecurityScheme' in scheme && super.fits(scheme);
  }
}

/** @throws A2AClientError `CREDENTIAL_INVALID` */
export function credentialSourceOf(
  setting: ClientCredentials | undefined,
  tls?: Pick<TlsContext, 'hasClientCertificate'>,
): CredentialSource {
  if (setting === false) return new NoCredentials();
  if (isSource(setting)) return setting;
  const implied = tls?.hasClientCertificate === true ? [new ClientCertificateCredential()] : [];
  return new CardCredentials(listOf(setting), implied);
}

function listOf(setting: string | Credential | CredentialList = []): CredentialList {
  if (typeof setting === 'string') return [new ApiKeyCredential(setting), new KeyAsBearer(setting)];
  return isCredential(setting) ? [setting] : setting;
}

// By what they can do, not by their class, of which an app may have two copies: one in each build of this package.
function isCredential(setting: object): setting is Credential {
  return can(setting, 'headersFor') && can(setting, 'fits');
}

function isSource(setting: ClientCredentials | undefined): setting is CredentialSource {
  return typeof setting === 'object' && can(setting, 'headersFor') && !can(setting, 'fits');
}

function can(setting: object, method: string): boolean {
  return typeof Reflect.get(setting, method) === 'function';
}
