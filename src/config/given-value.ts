const LONGEST = 80;

/** Credentials and queries may hold secrets; whatever stands in their place in a URL is left out. */
function withoutSecrets(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/+)?[^/?#]*@/i, (_match, scheme: string | undefined) => `${scheme ?? ''}***@`)
    .replace(/\?.+$/s, '?***');
}

/** How a wrong value is shown to a person: short, on one line, and without the secrets a URL may carry. */
export function describeGiven(value: unknown): string {
  if (typeof value === 'string') {
    const text = withoutSecrets(value);
    return JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
  }
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}
