import { describe, expect, it } from '@jest/globals';
import type { SecurityScheme } from 'nestjs-a2a/protocol';
import { bearerChallenge, challengeFor, joinChallenges } from './challenge.js';

describe('Challenges', () => {
  it.each<[SecurityScheme, string | undefined]>([
    [{ httpAuthSecurityScheme: { scheme: 'bearer' } }, 'bearer realm="a2a"'],
    [{ httpAuthSecurityScheme: { scheme: 'Basic' } }, 'Basic realm="a2a", charset="UTF-8"'],
    [{ apiKeySecurityScheme: { location: 'cookie', name: 'k' } }, 'ApiKey realm="a2a", in="cookie", name="k"'],
    [{ openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example' } }, 'Bearer realm="a2a"'],
    [{ oauth2SecurityScheme: { flows: { implicit: {} } } }, 'Bearer realm="a2a"'],
    [{ mtlsSecurityScheme: {} }, undefined],
  ])('of %j', (definition, challenge) => {
    expect(challengeFor(definition)).toBe(challenge);
  });

  it('name scopes that a header can hold', () => {
    expect(bearerChallenge('insufficient_scope', ['a:b', 'c"d', 'e f', 'g\r\nh', ''])).toBe(
      'Bearer realm="a2a", error="insufficient_scope", scope="a:b"',
    );
  });

  it('are joined, each once, and never cut', () => {
    expect(joinChallenges(['A', undefined, 'B', 'A', ''])).toBe('A, B');
    expect(joinChallenges([undefined])).toBeUndefined();
    const long = Array.from({ length: 10 }, (_, n) => String(n).repeat(200));
    expect(joinChallenges(long)).toBe(long.slice(0, 4).join(', '));
  });
});
