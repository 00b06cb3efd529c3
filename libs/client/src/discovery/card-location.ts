import { A2AClientError } from '../client-error.js';

const WELL_KNOWN = '/.well-known/';
/** The path of today, then the one before A2A 0.3. */
const CARD_PATHS = ['.well-known/agent-card.json', '.well-known/agent.json'];

/** Where a card may be found. */
export interface CardLocation {
  /** To be tried in this order. */
  readonly urls: readonly string[];
  /** What the user named, without the path of a card: where agents of the older kind are called. */
  readonly base: string;
  readonly origin: string;
}

/**
 * Tells where to look for the card of what the user named: the URL of an agent, or of its card.
 *
 * @param target absolute `http:` or `https:` URL. One that ends in `.json` is that of a card
 * @param cardPath where the card is, from the URL of the agent on; instead of the usual places
 * @throws A2AClientError `INVALID_TARGET`
 */
export function cardLocationOf(target: string | URL, cardPath?: string): CardLocation {
  const url = httpUrlOf(target);
  url.hash = '';
  const { origin } = url;
  const found = url.pathname.indexOf(WELL_KNOWN);
  if (cardPath === undefined && (found >= 0 || url.pathname.toLowerCase().endsWith('.json'))) {
    const path = found >= 0 ? url.pathname.slice(0, found) : new URL('.', url).pathname;
    return { urls: [url.href], base: withoutSlash(origin + path), origin };
  }
  const base = withoutSlash(origin + url.pathname);
  if (cardPath !== undefined) return { urls: [cardUrlBelow(base, cardPath)], base, origin };
  const urls = CARD_PATHS.map((path) => `${base}/${path}`);
  // Cards are also served at addresses that do not look like it.
  return { urls: url.pathname === '/' ? urls : [...urls, url.href], base, origin };
}

function httpUrlOf(target: string | URL): URL {
  const text = String(target);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && `${url.username}${url.password}` !== '') {
    throw new A2AClientError('INVALID_TARGET', 'The URL holds a user name or a password: give them as credentials');
  }
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new A2AClientError(
    'INVALID_TARGET',
    'The agent is named by something that is no absolute http(s) URL: write https://host/path, or give its card',
  );
}

function cardUrlBelow(base: string, cardPath: string): string {
  const url = URL.canParse(cardPath, `${base}/`) ? new URL(cardPath, `${base}/`) : undefined;
  // Another origin is another agent to trust: it has to be named as such.
  if (url && url.origin === new URL(base).origin) return url.href;
  throw new A2AClientError(
    'INVALID_TARGET',
    'cardPath leads to another origin: give the URL of the card as the target',
  );
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
