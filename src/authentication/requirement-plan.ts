import type { SecurityRequirement } from 'nestjs-a2a/protocol';
import type { A2AUser } from '../authorization/a2a-user.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

/** A scheme of ours that is needed, with the scopes that it must have granted. */
export interface OwnNeed {
  readonly scheme: AuthenticationScheme;
  readonly scopes: readonly string[];
}

/** Schemes that are needed together. */
export interface Alternative {
  /** In the order of the option `authentication`: the first one's user is the caller. */
  readonly own: readonly OwnNeed[];
  /** Whether there are schemes among them that the host's guards check. */
  readonly byHost: boolean;
  /** Scopes of the schemes that the host's guards check. */
  readonly hostScopes: readonly string[];
}

/** What the card's requirements come to: alternatives of which one must be met; none is needed when there are none. */
export function alternativesOf(
  requirements: readonly SecurityRequirement[],
  schemes: readonly AuthenticationScheme[],
): Alternative[] {
  return requirements.map(({ schemes: needed }) => {
    const own = schemes
      .filter(({ name }) => Object.hasOwn(needed, name))
      .map((scheme) => ({ scheme, scopes: needed[scheme.name]?.list ?? [] }));
    const names = new Set(schemes.map(({ name }) => name));
    const others = Object.keys(needed).filter((name) => !names.has(name));
    return { own, byHost: others.length > 0, hostScopes: others.flatMap((name) => needed[name]?.list ?? []) };
  });
}

/** The scopes that a caller was not granted. */
export function lackingScopes({ scopes: granted = [] }: A2AUser, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !granted.includes(scope));
}
