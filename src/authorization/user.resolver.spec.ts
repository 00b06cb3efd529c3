import { describe, expect, it } from '@jest/globals';
import { ANONYMOUS_USER } from './a2a-user.js';
import { rememberCaller } from './request-caller.js';
import { RequestUserResolver } from './user.resolver.js';

const resolver = new RequestUserResolver();

describe('RequestUserResolver', () => {
  it.each([[{}], [{ user: undefined }], [{ user: null }], [{ user: false }]])('%j is anonymous', (request) => {
    expect(resolver.resolve(request)).toBe(ANONYMOUS_USER);
  });

  it.each([
    ['ann', 'ann'],
    [{ id: 'ann', sub: 'no' }, 'ann'],
    [{ sub: 'ann', username: 'no' }, 'ann'],
    [{ userId: 7 }, '7'],
    [{ id: 0 }, '0'],
    [{ id: '', username: 'ann' }, 'ann'],
    [{ id: Number.NaN, name: 'ann' }, 'ann'],
    [{ email: 'ann@example.com' }, 'ann@example.com'],
  ])('%j is %s', (user, id) => {
    expect(resolver.resolve({ user })).toEqual({ id, authenticated: true, claims: user });
  });

  it.each([[''], [{}], [{ id: {} }], [true], [7], [{ roles: ['admin'] }]])(
    'a user without a name (%j) must not share the tasks of those whom nobody knows',
    (user) => {
      expect(() => resolver.resolve({ user })).toThrow('provide a UserResolver');
    },
  );

  it('finds claims of a class by its own fields only', () => {
    class Principal {
      constructor(readonly sub: string) {}
    }
    expect(resolver.resolve({ user: new Principal('ann') }).id).toBe('ann');
    expect(() => resolver.resolve({ user: Object.create({ id: 'inherited' }) })).toThrow();
  });

  it.each([[{}], [{ user: undefined }], [{ user: null }], [{ user: false }]])(
    'whom a scheme has found is the user of %j, and seen by guards',
    (request) => {
      const ann = { id: 'ann', authenticated: true, scopes: ['read'] };
      rememberCaller(request, ann);
      expect(resolver.resolve(request)).toBe(ann);
      expect(request).toEqual({ user: ann });
    },
  );

  it.each([[{ user: { id: 'hal' } }], [{ user: 'hal' }]])('whom the host has found (%j) counts', (request) => {
    rememberCaller(request, { id: 'ann', authenticated: true });
    expect(resolver.resolve(request)).toMatchObject({ id: 'hal' });
  });

  it('finds whom a scheme has found in a request that takes no user', () => {
    const request = Object.freeze({});
    rememberCaller(request, { id: 'ann', authenticated: true });
    expect(resolver.resolve(request)).toMatchObject({ id: 'ann' });
  });
});
