import { ApiKeyScheme, BearerScheme, type AuthenticationScheme } from 'nestjs-a2a';

const SECRET = 'probe-secret';
const NAMED = /^user:(.+)$/;

/** How callers of the probe prove who they are. */
export type ProbeAuth = 'none' | 'bearer' | 'apikey';

export function isProbeAuth(value: string): value is ProbeAuth {
  return value === 'none' || value === 'bearer' || value === 'apikey';
}

/** @param users whether the bearer token `user:NAME` is user NAME */
export function probeAuthentication(auth: ProbeAuth, users: boolean): AuthenticationScheme[] {
  switch (auth) {
    case 'none':
      return [];
    case 'apikey':
      return [new ApiKeyScheme({ keys: SECRET })];
    case 'bearer':
      return [new BearerScheme({ secrets: SECRET, ...(users && { verify: userOf }) })];
  }
}

function userOf(token: string) {
  const id = NAMED.exec(token)?.[1];
  return id === undefined ? undefined : { id, authenticated: true };
}
