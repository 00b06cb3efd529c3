// Nest, Express and Fastify give most other characters a meaning in routes, and not the same one.
const SEGMENT = /^[A-Za-z0-9._~-]+$/;

/** A route path without its trailing slash; `undefined` if it is none. */
export function normalisePath(text: string): string | undefined {
  if (!text.startsWith('/')) return undefined;
  if (text === '/') return text;
  const path = text.endsWith('/') ? text.slice(0, -1) : text;
  const segments = path.slice(1).split('/');
  const sound = segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..');
  return sound ? path : undefined;
}
