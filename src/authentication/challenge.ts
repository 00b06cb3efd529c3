import type { SecurityScheme } from 'nestjs-a2a/protocol';

const REALM = 'realm="a2a"';
// An error's challenge is cut when it is too long, in the midst of a parameter.
const MAX_LENGTH = 900;

/** The challenge of a scheme; `undefined` for client certificates, which are not asked for by a header. */
export function challengeFor(definition: SecurityScheme): string | undefined {
  if ('httpAuthSecurityScheme' in definition) {
    const { scheme } = definition.httpAuthSecurityScheme;
    // RFC 7617: without it, clients may take names and passwords for Latin-1.
    return scheme.toLowerCase() === 'basic' ? `${scheme} ${REALM}, charset="UTF-8"` : `${scheme} ${REALM}`;
  }
  if ('apiKeySecurityScheme' in definition) {
    const { location, name } = definition.apiKeySecurityScheme;
    return `ApiKey ${REALM}, in="${location}", name="${name}"`;
  }
  return 'mtlsSecurityScheme' in definition ? undefined : `Bearer ${REALM}`;
}

/** A bearer challenge that says why. @see RFC 6750, section 3 */
export function bearerChallenge(error: 'invalid_token' | 'insufficient_scope', scopes: readonly string[] = []): string {
  const sayable = scopes.filter((scope) => SCOPE_TOKEN.test(scope));
  const scope = sayable.length === 0 ? '' : `, scope="${sayable.join(' ')}"`;
  return `Bearer ${REALM}, error="${error}"${scope}`;
}

// RFC 6749, appendix A.4.
const SCOPE_TOKEN = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/** Several challenges in one header value, each once. */
export function joinChallenges(challenges: readonly (string | undefined)[]): string | undefined {
  let joined: string | undefined;
  for (const challenge of new Set(challenges)) {
    if (challenge === undefined || challenge === '') continue;
    const longer = joined === undefined ? challenge : `${joined}, ${challenge}`;
    if (longer.length <= MAX_LENGTH) joined = longer;
  }
  return joined;
}
