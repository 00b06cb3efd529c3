import { describe, expect, it } from '@jest/globals';
import { cardLocationOf } from './card-location.js';

const own = 'https://a.example';
const card = '.well-known/agent-card.json';
const older = '.well-known/agent.json';

describe('cardLocationOf', () => {
  it.each<readonly [target: string, urls: string[], base: string]>([
    [own, [`${own}/${card}`, `${own}/${older}`], own],
    [`${own}/`, [`${own}/${card}`, `${own}/${older}`], own],
    [
      `${own}/agents/x/?q=1#f`,
      [`${own}/agents/x/${card}`, `${own}/agents/x/${older}`, `${own}/agents/x/?q=1`],
      `${own}/agents/x`,
    ],
    [`${own}/${card}`, [`${own}/${card}`], own],
    [`${own}/x/${older}?v=1`, [`${own}/x/${older}?v=1`], `${own}/x`],
    [`${own}/cards/a.json`, [`${own}/cards/a.json`], `${own}/cards`],
    [
      'http://localhost:3000',
      [`http://localhost:3000/${card}`, `http://localhost:3000/${older}`],
      'http://localhost:3000',
    ],
  ])('%s', (target, urls, base) => {
    expect(cardLocationOf(target)).toEqual({ urls, base, origin: new URL(target).origin });
    expect(cardLocationOf(new URL(target)).urls).toEqual(urls);
  });

  it.each([
    ['card', `${own}/x/card`],
    ['/card.json', `${own}/card.json`],
    ['./a/b.json?v=1', `${own}/x/a/b.json?v=1`],
  ])('with cardPath %s', (cardPath, url) => {
    expect(cardLocationOf(`${own}/x`, cardPath)).toEqual({ urls: [url], base: `${own}/x`, origin: own });
  });

  it.each<readonly [target: string, cardPath: string | undefined, message: string]>([
    ['a.example', undefined, 'no absolute http(s) URL'],
    ['/agents/x', undefined, 'no absolute http(s) URL'],
    ['', undefined, 'no absolute http(s) URL'],
    ['ftp://a.example', undefined, 'no absolute http(s) URL'],
    ['localhost:3000', undefined, 'no absolute http(s) URL'],
    ['https://user:word@a.example', undefined, 'user name or a password'],
    [own, 'https://b.example/card', 'another origin'],
    [own, '//b.example/card', 'another origin'],
  ])('refuses %s %s', (target, cardPath, message) => {
    const attempt = (): unknown => cardLocationOf(target, cardPath);
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_TARGET' }));
    expect(attempt).toThrow(message);
    expect(attempt).not.toThrow('word@');
  });
});
