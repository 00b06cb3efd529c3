import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { Credential } from './credential.js';
import type { RequestCredentials } from './credential-source.js';

/** The certificate that the client shows anyway, by its TLS context. */
export class ClientCertificateCredential extends Credential {
  readonly kind = 'client certificate';

  fits(scheme: SecurityScheme): boolean {
    return 'mtlsSecurityScheme' in scheme;
  }

  headersFor(): RequestCredentials {
    return { headers: {} };
  }
}
